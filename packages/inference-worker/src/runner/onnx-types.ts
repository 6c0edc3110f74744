import type { Datatype } from "@nereid/protocol";

/** Names of element types as onnxruntime-node spells them. */
export type OrtType =
  | "bool"
  | "uint8"
  | "uint16"
  | "uint32"
  | "uint64"
  | "int8"
  | "int16"
  | "int32"
  | "int64"
  | "float16"
  | "float32"
  | "float64"
  | "string";

const TO_ORT: Readonly<Partial<Record<Datatype, OrtType>>> = {
  BOOL: "bool",
  UINT8: "uint8",
  UINT16: "uint16",
  UINT32: "uint32",
  UINT64: "uint64",
  INT8: "int8",
  INT16: "int16",
  INT32: "int32",
  INT64: "int64",
  FP16: "float16",
  FP32: "float32",
  FP64: "float64",
  BYTES: "string",
};

const FROM_ORT: ReadonlyMap<string, Datatype> = new Map(
  (Object.keys(TO_ORT) as Datatype[]).map((datatype) => [TO_ORT[datatype] ?? "", datatype]),
);

/** undefined for BF16, which the engine's JavaScript binding does not take. */
export function toOrtType(datatype: Datatype): OrtType | undefined {
  return TO_ORT[datatype];
}

export function fromOrtType(type: string): Datatype | undefined {
  return FROM_ORT.get(type);
}
