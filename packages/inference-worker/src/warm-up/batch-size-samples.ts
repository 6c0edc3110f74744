import { NereidError } from "@nereid/errors";
import type { ModelConfig } from "@nereid/model-config";
import type { ModelSpec, TensorSpec } from "../models/model-spec.ts";
import type { WarmUpSample } from "./compile-samples.ts";
import { zeroTensor } from "./fill-tensor.ts";

/** Which batch sizes are executed once before a version serves: none, the powers of two and the largest, or all. */
export type WarmUpBatchSizes = "off" | "powers" | "all";

/** Key of a model's `parameters`; it goes before the option of the server. */
export const WARM_UP_PARAMETER = "warm_up_batch_sizes";

export function isWarmUpBatchSizes(text: string): text is WarmUpBatchSizes {
  return text === "off" || text === "powers" || text === "all";
}

/** What the model says, else what the server says. INVALID_ARGUMENT for another value. */
export function batchSizesOf(config: ModelConfig, otherwise: WarmUpBatchSizes): WarmUpBatchSizes {
  const text = config.parameters[WARM_UP_PARAMETER]?.stringValue;
  if (text === undefined) return otherwise;
  if (isWarmUpBatchSizes(text)) return text;
  throw new NereidError(
    "INVALID_ARGUMENT",
    `parameter '${WARM_UP_PARAMETER}' must be off, powers or all, got '${text.slice(0, 50)}'`,
  );
}

/** One execution of zeros for each size. A variable dimension is as large as in the first sample that has the input, else 1. */
export function batchSizeSamples(
  spec: ModelSpec,
  sizes: WarmUpBatchSizes,
  samples: readonly WarmUpSample[],
): readonly WarmUpSample[] {
  const inputs = spec.inputs
    .filter(({ optional }) => !optional)
    .map((tensor) => {
      const dims = dimsOf(tensor, samples);
      return { name: tensor.name, datatype: tensor.datatype, dims, bytes: zeroTensor(tensor.datatype, dims) };
    });
  return sizesUpTo(Math.max(1, spec.maxBatchSize), sizes).map((batchSize) => ({
    name: `batch size ${batchSize}`,
    count: 1,
    batchSize,
    inputs,
  }));
}

function sizesUpTo(largest: number, sizes: WarmUpBatchSizes): readonly number[] {
  if (sizes === "off") return [];
  if (sizes === "all") return Array.from({ length: largest }, (_, index) => index + 1);
  const powers: number[] = [];
  for (let size = 1; size < largest; size *= 2) powers.push(size);
  return [...powers, largest];
}

function dimsOf({ name, dims }: TensorSpec, samples: readonly WarmUpSample[]): readonly number[] {
  const sampled = samples.flatMap(({ inputs }) => inputs).find((input) => input.name === name)?.dims;
  return dims.map((dim, index) => (dim === -1 ? (sampled?.[index] ?? 1) : dim));
}
