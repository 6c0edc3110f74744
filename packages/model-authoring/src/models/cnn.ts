import { onnxModel } from "../onnx-graph.ts";

export interface CnnWeights {
  readonly filters: number;
  /** [filters, 1, 5, 5] */
  readonly kernel: Float32Array;
  readonly kernelBias: Float32Array;
  /** [filters * 12 * 12, 10] */
  readonly dense: Float32Array;
  readonly denseBias: Float32Array;
}

/** One 5×5 convolution of stride 2, ReLU, one dense layer, softmax: `image` [batch, 1, 28, 28] to `probabilities` [batch, 10]. */
export function cnnModel(name: string, weights: CnnWeights): Uint8Array {
  const { filters } = weights;
  return onnxModel({
    name,
    inputs: [{ name: "image", type: "FLOAT", dims: ["batch", 1, 28, 28] }],
    outputs: [{ name: "probabilities", type: "FLOAT", dims: ["batch", 10] }],
    constants: [
      { name: "k", type: "FLOAT", dims: [filters, 1, 5, 5], data: weights.kernel },
      { name: "kb", type: "FLOAT", dims: [filters], data: weights.kernelBias },
      { name: "d", type: "FLOAT", dims: [filters * 144, 10], data: weights.dense },
      { name: "db", type: "FLOAT", dims: [10], data: weights.denseBias },
    ],
    nodes: [
      { op: "Conv", inputs: ["image", "k", "kb"], outputs: ["c"], attributes: { strides: [2n, 2n] } },
      { op: "Relu", inputs: ["c"], outputs: ["r"] },
      { op: "Flatten", inputs: ["r"], outputs: ["f"] },
      { op: "Gemm", inputs: ["f", "d", "db"], outputs: ["g"] },
      { op: "Softmax", inputs: ["g"], outputs: ["probabilities"], attributes: { axis: -1 } },
    ],
  });
}
