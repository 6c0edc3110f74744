import { onnxModel } from "../onnx-graph.ts";
import { countingLoop } from "./counting-loop.ts";

/** A tiny file that asks for as many GiB as its input says: expands one float to [GIBIBYTES, 2^28] and sums. */
export function allocationBombModel(): Uint8Array {
  return onnxModel({
    name: "allocation_bomb",
    inputs: [{ name: "GIBIBYTES", type: "INT64", dims: [1] }],
    outputs: [{ name: "TOTAL", type: "FLOAT", dims: [1] }],
    constants: [
      { name: "one", type: "FLOAT", dims: [1], data: new Float32Array([1]) },
      { name: "row", type: "INT64", dims: [1], data: new BigInt64Array([1n << 28n]) },
    ],
    nodes: [
      { op: "Concat", inputs: ["GIBIBYTES", "row"], outputs: ["shape"], attributes: { axis: 0 } },
      { op: "Expand", inputs: ["one", "shape"], outputs: ["huge"] },
      { op: "ReduceSum", inputs: ["huge"], outputs: ["sum"], attributes: { keepdims: 0 } },
      { op: "Reshape", inputs: ["sum", "unit"], outputs: ["TOTAL"] },
      { op: "Constant", inputs: [], outputs: ["unit"], attributes: { value_ints: [1n] } },
    ],
  });
}

/** Counts to INPUT in a graph loop: as slow as the client asks, endless for the largest numbers. */
export function loopModel(): Uint8Array {
  return onnxModel({
    name: "loop",
    inputs: [{ name: "TURNS", type: "INT64", dims: [1] }],
    outputs: [{ name: "COUNT", type: "INT64", dims: [1] }],
    constants: [
      { name: "go", type: "BOOL", dims: [], data: new Uint8Array([1]) },
      { name: "zero", type: "INT64", dims: [1], data: new BigInt64Array([0n]) },
      { name: "one", type: "INT64", dims: [1], data: new BigInt64Array([1n]) },
      { name: "scalar", type: "INT64", dims: [0], data: new BigInt64Array(0) },
    ],
    nodes: [{ op: "Reshape", inputs: ["TURNS", "scalar"], outputs: ["turns"] }, countingLoop("COUNT")],
  });
}
