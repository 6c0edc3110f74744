import { NereidError } from "@nereid/errors";
import type { DescribedTensor } from "@nereid/perf";
import type { ModelMetadata } from "@nereid/protocol";
import type { PerfCommand } from "./perf-command.ts";
import type { PerfServer } from "./perf-server.ts";

/** What must be known of a model to put load on it. */
export interface PerfModel {
  readonly inputs: readonly DescribedTensor[];
  readonly outputs: readonly DescribedTensor[];
  /** Whether requests have a batch dimension. */
  readonly batched: boolean;
  readonly sequences: boolean;
  readonly decoupled: boolean;
  readonly cached: boolean;
  /** Models an ensemble is composed of, each once. */
  readonly composing: readonly string[];
}

type Config = Readonly<Record<string, unknown>>;

/** Asks the server about the model. INVALID_ARGUMENT for a batch it does not take; whatever the server says otherwise. */
export async function describeModel({ client }: PerfServer, command: PerfCommand): Promise<PerfModel> {
  const { model, version, batch } = command;
  const options = version === "" ? {} : { version };
  const metadata = await client.modelMetadata(model, options);
  const config: Config = { ...(await client.modelConfig(model, options)) };
  const mostBatch = numberOf(config["max_batch_size"]);
  if (batch > Math.max(1, mostBatch)) {
    throw new NereidError("INVALID_ARGUMENT", `'${model}' takes batches of up to ${mostBatch}, not of ${batch}`, {
      fix: mostBatch === 0 ? "leave out -b: the model does not batch" : `use -b ${mostBatch} at most`,
      details: { option: true },
    });
  }
  const optional = new Set(
    listOf(config["input"])
      .filter((one) => one["optional"] === true)
      .map((one) => one["name"]),
  );
  const tensors = (list: ModelMetadata["inputs"]): DescribedTensor[] =>
    list.map(({ name, datatype, shape }) => ({
      name,
      datatype,
      shape: mostBatch > 0 ? shape.slice(1) : shape,
      optional: optional.has(name),
    }));
  const steps = listOf(objectOf(config["ensemble_scheduling"])["step"]);
  return {
    inputs: tensors(metadata.inputs),
    outputs: tensors(metadata.outputs),
    batched: mostBatch > 0,
    sequences: config["sequence_batching"] !== undefined && config["sequence_batching"] !== null,
    decoupled: objectOf(config["model_transaction_policy"])["decoupled"] === true,
    cached: objectOf(config["response_cache"])["enable"] === true,
    composing: [...new Set(steps.map((step) => String(step["model_name"])))],
  };
}

function objectOf(value: unknown): Config {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function listOf(value: unknown): Config[] {
  return Array.isArray(value) ? value.map(objectOf) : [];
}

function numberOf(value: unknown): number {
  return typeof value === "number" ? value : 0;
}
