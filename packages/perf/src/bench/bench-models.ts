import {
  type DenseLayer,
  heUniform,
  identityModel,
  mlpModel,
  seededRandom,
  slowEchoModel,
} from "@nereid/model-authoring";
import type { BenchModel } from "./bench-server.ts";

/** A network of dense layers with random weights; the speed of a network does not depend on what it has learned. */
function layers(...widths: readonly number[]): DenseLayer[] {
  const random = seededRandom(1);
  return widths.slice(1).map((outputs, index) => {
    const inputs = widths[index] ?? 1;
    return { weights: heUniform(inputs * outputs, inputs, random), bias: new Float32Array(outputs) };
  });
}

const group = "instance_group [ { count: 1 kind: KIND_CPU } ]\n";
const threads = 'parameters { key: "intra_op_thread_count" value { string_value: "1" } }\n';
const identity = () => identityModel([["FLOAT", "FP32"]]);

/** What the bench serves: one model for each question. */
export function benchModels(): Record<
  "identity" | "delayed" | "heavy" | "bounded" | "batched" | "single" | "cycled",
  BenchModel
> {
  const medium = mlpModel("medium", layers(784, 1024, 1024, 10));
  return {
    identity: { name: "identity", config: `max_batch_size: 64\n${group}`, onnx: identity() },
    delayed: {
      name: "delayed",
      config: `max_batch_size: 64\ndynamic_batching { max_queue_delay_microseconds: 100 }\n${group}`,
      onnx: identity(),
    },
    heavy: {
      name: "heavy",
      config: `max_batch_size: 8\ndynamic_batching { preferred_batch_size: [ 8 ] max_queue_delay_microseconds: 5000 }\n${group}${threads}`,
      onnx: mlpModel("heavy", layers(784, 4096, 4096, 10)),
    },
    bounded: {
      name: "bounded",
      config: `max_batch_size: 4\ndynamic_batching { preferred_batch_size: [ 4 ] max_queue_delay_microseconds: 5000 default_queue_policy { max_queue_size: 16 default_timeout_microseconds: 400000 } }\n${group}${threads}`,
      onnx: slowEchoModel(),
    },
    batched: { name: "batched", config: `max_batch_size: 32\ndynamic_batching { }\n${group}${threads}`, onnx: medium },
    single: {
      name: "single",
      config: `max_batch_size: 32\ninput [ { name: "image" data_type: TYPE_FP32 dims: [ 784 ] } ]\noutput [ { name: "probabilities" data_type: TYPE_FP32 dims: [ 10 ] } ]\n${group}${threads}`,
      onnx: medium,
    },
    cycled: { name: "cycled", config: group, onnx: mlpModel("cycled", layers(784, 4480, 4800, 10)) },
  };
}

/** A model file of about `mebibytes` MiB. */
export function largeModel(mebibytes: number): BenchModel {
  const width = Math.round((mebibytes * 2 ** 20) / 4 / 16384);
  const weights = new Float32Array(16384 * width).fill(0.001);
  const first = { weights: new Float32Array(784 * 16384).fill(0.001), bias: new Float32Array(16384) };
  return { name: "large", config: group, onnx: mlpModel("large", [first, { weights, bias: new Float32Array(width) }]) };
}
