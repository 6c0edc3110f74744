import { type OnnxType, onnxModel } from "../onnx-graph.ts";

/** Element types as ONNX and as the V2 protocol name them; BF16 is missing because the engine's binding does not take it. */
export const IDENTITY_TYPES: readonly (readonly [OnnxType, string])[] = [
  ["BOOL", "BOOL"],
  ["UINT8", "UINT8"],
  ["UINT16", "UINT16"],
  ["UINT32", "UINT32"],
  ["UINT64", "UINT64"],
  ["INT8", "INT8"],
  ["INT16", "INT16"],
  ["INT32", "INT32"],
  ["INT64", "INT64"],
  ["FLOAT16", "FP16"],
  ["FLOAT", "FP32"],
  ["DOUBLE", "FP64"],
  ["STRING", "BYTES"],
];

/** Gives every input back, one input and output for each element type: INPUT_FP32 to OUTPUT_FP32 and so on. */
export function identityModel(types: readonly (readonly [OnnxType, string])[] = IDENTITY_TYPES): Uint8Array {
  return onnxModel({
    name: "identity",
    inputs: types.map(([type, name]) => ({ name: `INPUT_${name}`, type, dims: ["batch", "length"] })),
    outputs: types.map(([type, name]) => ({ name: `OUTPUT_${name}`, type, dims: ["batch", "length"] })),
    nodes: types.map(([, name]) => ({ op: "Identity", inputs: [`INPUT_${name}`], outputs: [`OUTPUT_${name}`] })),
  });
}
