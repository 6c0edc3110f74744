import { type OnnxConstant, type OnnxNode, onnxModel } from "../onnx-graph.ts";

export interface DenseLayer {
  /** Row-major [inputs, outputs]. */
  readonly weights: Float32Array;
  readonly bias: Float32Array;
}

/** Fully connected network with ReLU between layers and softmax at the end: `image` [batch, n] to `probabilities` [batch, m]. */
export function mlpModel(name: string, layers: readonly DenseLayer[]): Uint8Array {
  const constants: OnnxConstant[] = [];
  const nodes: OnnxNode[] = [];
  let value = "image";
  layers.forEach(({ weights, bias }, index) => {
    const inputs = weights.length / bias.length;
    constants.push({ name: `w${index}`, type: "FLOAT", dims: [inputs, bias.length], data: weights });
    constants.push({ name: `b${index}`, type: "FLOAT", dims: [bias.length], data: bias });
    nodes.push({ op: "Gemm", inputs: [value, `w${index}`, `b${index}`], outputs: [`h${index}`] });
    value = `h${index}`;
    if (index < layers.length - 1) {
      nodes.push({ op: "Relu", inputs: [value], outputs: [`a${index}`] });
      value = `a${index}`;
    }
  });
  nodes.push({ op: "Softmax", inputs: [value], outputs: ["probabilities"], attributes: { axis: -1 } });
  const first = layers[0];
  const last = layers.at(-1);
  if (first === undefined || last === undefined) throw new RangeError("a network needs at least one layer");
  return onnxModel({
    name,
    inputs: [{ name: "image", type: "FLOAT", dims: ["batch", first.weights.length / first.bias.length] }],
    outputs: [{ name: "probabilities", type: "FLOAT", dims: ["batch", last.bias.length] }],
    nodes,
    constants,
  });
}
