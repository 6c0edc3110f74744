/** Names of tensor element types in the V2 protocol. */
export const DATATYPES = [
  "BOOL",
  "UINT8",
  "UINT16",
  "UINT32",
  "UINT64",
  "INT8",
  "INT16",
  "INT32",
  "INT64",
  "FP16",
  "FP32",
  "FP64",
  "BYTES",
  "BF16",
] as const;

export type Datatype = (typeof DATATYPES)[number];

/** Datatypes whose elements may travel as JSON. */
export type JsonDatatype = Exclude<Datatype, "FP16" | "BF16">;

const BYTE_SIZES: Readonly<Record<Datatype, number>> = {
  BOOL: 1,
  UINT8: 1,
  UINT16: 2,
  UINT32: 4,
  UINT64: 8,
  INT8: 1,
  INT16: 2,
  INT32: 4,
  INT64: 8,
  FP16: 2,
  FP32: 4,
  FP64: 8,
  BYTES: 0,
  BF16: 2,
};

/** Whether a text is a protocol datatype name (case matters, as in Triton). */
export function isDatatype(text: string): text is Datatype {
  return Object.hasOwn(BYTE_SIZES, text);
}

/** Whether a text names a datatype whose elements may travel as JSON. */
export function isJsonDatatype(text: string): text is JsonDatatype {
  return isDatatype(text) && text !== "FP16" && text !== "BF16";
}

/** Bytes of one element; 0 for BYTES, whose elements vary. */
export function byteSizeOf(datatype: Datatype): number {
  return BYTE_SIZES[datatype];
}
