import type { OnnxNode } from "../onnx-graph.ts";

/** A loop that counts to the scalar `turns`; the graph must have the constants `go` (true), `zero` and `one` (INT64 [1]). */
export function countingLoop(output: string): OnnxNode {
  return {
    op: "Loop",
    inputs: ["turns", "go", "zero"],
    outputs: [output],
    attributes: {
      body: {
        graph: {
          name: "body",
          inputs: [
            { name: "turn", type: "INT64", dims: [] },
            { name: "again", type: "BOOL", dims: [] },
            { name: "count", type: "INT64", dims: [1] },
          ],
          outputs: [
            { name: "still", type: "BOOL", dims: [] },
            { name: "next", type: "INT64", dims: [1] },
          ],
          nodes: [
            { op: "Identity", inputs: ["again"], outputs: ["still"] },
            { op: "Add", inputs: ["count", "one"], outputs: ["next"] },
          ],
        },
      },
    },
  };
}
