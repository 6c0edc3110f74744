import { NereidError } from "@nereid/errors";
import { datatypeFromConfig, type ModelConfig } from "@nereid/model-config";
import { type Datatype, isDatatype } from "@nereid/protocol";
import type { ModelSpec } from "../models/model-spec.ts";
import { zeroByteLength } from "../sequence/zero-bytes.ts";
import { randomTensor, zeroTensor } from "./fill-tensor.ts";

export interface SampleInput {
  readonly name: string;
  readonly datatype: Datatype;
  /** Of one item, without the batch dimension. */
  readonly dims: readonly number[];
  /** Of one item. */
  readonly bytes: Uint8Array;
}

/** What an instance executes before it serves: `count` times a batch of `batchSize` copies of one item. */
export interface WarmUpSample {
  readonly name: string;
  readonly count: number;
  readonly batchSize: number;
  readonly inputs: readonly SampleInput[];
}

export interface SampleContext {
  /** Content of a file in the model's `warmup` directory. Throws where it cannot be read. */
  readonly readFile: (file: string) => Uint8Array;
  /** Numbers in [0, 1). */
  readonly random: () => number;
}

type ConfigSample = ModelConfig["modelWarmup"][number];
type ConfigInput = ConfigSample["inputs"][string];

/** One input that takes more is a mistake in its dims, and is refused before memory is asked for. */
const MOST_BYTES = 2 ** 31;

/**
 * `model_warmup` of a configuration with its data (scheduling.md §9); samples of batch size 0 are left out. INVALID_ARGUMENT, with
 * Triton's texts where it has one, for data that is not there or does not fit.
 */
export function compileSamples(
  configured: ModelConfig["modelWarmup"],
  model: Pick<ModelSpec, "name" | "maxBatchSize">,
  context: SampleContext,
): readonly WarmUpSample[] {
  const largest = Math.max(1, model.maxBatchSize);
  return configured
    .filter(({ batchSize }) => batchSize > 0)
    .map((sample) => {
      if (sample.batchSize > largest) {
        throw new NereidError(
          "INVALID_ARGUMENT",
          `warmup sample '${sample.name}' has batch_size ${sample.batchSize}, but the largest batch of model '${model.name}' is ${largest} (max_batch_size)`,
        );
      }
      return {
        name: sample.name,
        count: Math.max(1, sample.count),
        batchSize: sample.batchSize,
        inputs: Object.entries(sample.inputs).map(([name, input]) => compileInput({ name, input, sample }, context)),
      };
    });
}

function compileInput(
  at: { readonly name: string; readonly input: ConfigInput; readonly sample: ConfigSample },
  context: SampleContext,
): SampleInput {
  const { name, input, sample } = at;
  const datatype = datatypeFromConfig(input.dataType);
  if (datatype === undefined || !isDatatype(datatype)) {
    throw new NereidError(
      "INVALID_ARGUMENT",
      `input '${name}' of warmup sample '${sample.name}' has no data_type; write for example data_type: TYPE_FP32`,
    );
  }
  const dims = input.dims.map(Number);
  if (dims.some((dim) => dim < 0)) {
    throw new NereidError(
      "INVALID_ARGUMENT",
      `warmup setting expects all variable-size dimensions are specified for input '${name}'`,
    );
  }
  const byteLength = zeroByteLength(datatype, dims);
  if (byteLength > MOST_BYTES) {
    throw new NereidError(
      "INVALID_ARGUMENT",
      `input '${name}' of warmup sample '${sample.name}' would take ${byteLength} bytes, more than ${MOST_BYTES}; correct its dims`,
    );
  }
  return { name, datatype, dims, bytes: dataOf(at, { datatype, dims, byteLength }, context) };
}

function dataOf(
  { name, input }: { readonly name: string; readonly input: ConfigInput },
  tensor: { readonly datatype: Datatype; readonly dims: readonly number[]; readonly byteLength: number },
  { readFile, random }: SampleContext,
): Uint8Array {
  const { datatype, dims, byteLength } = tensor;
  const { inputDataType } = input;
  switch (inputDataType.case) {
    case "zeroData":
      return zeroTensor(datatype, dims);
    case "randomData":
      return randomTensor(datatype, dims, random);
    case "inputDataFile": {
      const content = readFile(inputDataType.value);
      // The number of texts in it is checked with the request.
      if (datatype === "BYTES") return content;
      if (content.byteLength >= byteLength) return content.subarray(0, byteLength);
      throw new NereidError(
        "INVALID_ARGUMENT",
        // Triton's text has no space before "only".
        `warmup setting expects ${byteLength} bytes, but the data provided from ${inputDataType.value}only has ${content.byteLength} bytes`,
      );
    }
    default:
      throw new NereidError("INVALID_ARGUMENT", `warmup setting expects input '${name}' to have input_data_type set`);
  }
}
