import { onnxModel } from "../onnx-graph.ts";

/** The model of Triton's quick start: sum and difference of two INT32 rows of 16. */
export function simpleModel(): Uint8Array {
  const row = (name: string) => ({ name, type: "INT32" as const, dims: ["batch", 16] });
  return onnxModel({
    name: "simple",
    inputs: [row("INPUT0"), row("INPUT1")],
    outputs: [row("OUTPUT0"), row("OUTPUT1")],
    nodes: [
      { op: "Add", inputs: ["INPUT0", "INPUT1"], outputs: ["OUTPUT0"] },
      { op: "Sub", inputs: ["INPUT0", "INPUT1"], outputs: ["OUTPUT1"] },
    ],
  });
}
