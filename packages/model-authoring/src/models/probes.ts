import { onnxModel } from "../onnx-graph.ts";
import { countingLoop } from "./counting-loop.ts";

/** `ANSWER` = `QUESTION` + offset: the answer tells which question it belongs to and which copy of the model gave it. */
export function offsetModel(offset: number): Uint8Array {
  return onnxModel({
    name: "offset",
    inputs: [{ name: "QUESTION", type: "FLOAT", dims: ["batch", "length"] }],
    outputs: [{ name: "ANSWER", type: "FLOAT", dims: ["batch", "length"] }],
    constants: [{ name: "offset", type: "FLOAT", dims: [1], data: new Float32Array([offset]) }],
    nodes: [{ op: "Add", inputs: ["QUESTION", "offset"], outputs: ["ANSWER"] }],
  });
}

/** Counts to the largest of the batch's TURNS and gives TURNS back: a batching model that is as slow as the client asks. */
export function slowEchoModel(): Uint8Array {
  return onnxModel({
    name: "slow_echo",
    inputs: [{ name: "TURNS", type: "INT64", dims: ["batch", 1] }],
    outputs: [{ name: "ECHO", type: "INT64", dims: ["batch", 1] }],
    constants: [
      { name: "go", type: "BOOL", dims: [], data: new Uint8Array([1]) },
      { name: "zero", type: "INT64", dims: [1], data: new BigInt64Array([0n]) },
      { name: "one", type: "INT64", dims: [1], data: new BigInt64Array([1n]) },
    ],
    nodes: [
      { op: "ReduceMax", inputs: ["TURNS"], outputs: ["turns"], attributes: { keepdims: 0 } },
      countingLoop("counted"),
      { op: "Mul", inputs: ["counted", "zero"], outputs: ["nothing"] },
      { op: "Add", inputs: ["TURNS", "nothing"], outputs: ["ECHO"] },
    ],
  });
}

/** Gives six rows of four back; takes no other number of rows, so it cannot batch. */
export function fixedRowsModel(): Uint8Array {
  return onnxModel({
    name: "fixed_rows",
    inputs: [{ name: "ROWS", type: "FLOAT", dims: [6, 4] }],
    outputs: [{ name: "SAME", type: "FLOAT", dims: [6, 4] }],
    nodes: [{ op: "Identity", inputs: ["ROWS"], outputs: ["SAME"] }],
  });
}
