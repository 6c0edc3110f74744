/** TensorProto.DataType by number, as the V2 protocol names it; ONNX's name where the protocol has none. */
const NAMES: readonly string[] = [
  "UNDEFINED",
  "FP32",
  "UINT8",
  "INT8",
  "UINT16",
  "INT16",
  "INT32",
  "INT64",
  "BYTES",
  "BOOL",
  "FP16",
  "FP64",
  "UINT32",
  "UINT64",
  "COMPLEX64",
  "COMPLEX128",
  "BF16",
  "FLOAT8E4M3FN",
  "FLOAT8E4M3FNUZ",
  "FLOAT8E5M2",
  "FLOAT8E5M2FNUZ",
  "UINT4",
  "INT4",
  "FLOAT4E2M1",
];

/** Name of an ONNX element type. */
export function elementTypeName(type: number): string {
  return NAMES[type] ?? `TYPE_${type}`;
}
