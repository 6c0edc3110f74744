import { configObject, configText } from "./config-values.ts";
import type { TuningJson, TuningSetting } from "./tuning-types.ts";

type Config = { readonly [name: string]: TuningJson };

/** What a tuning must know of the model as it is served. */
export interface TunedModel {
  readonly name: string;
  /** Its configuration as it is in force, with the field names of the protocol. */
  readonly config: Config;
  readonly batches: boolean;
  readonly sequences: boolean;
  readonly present: TuningSetting;
  /** Its instances execute on a GPU. */
  readonly onGpu: boolean;
}

/** Reads what is tuned from a configuration in force, as the server tells it. Pure. */
export function tunedModel(name: string, config: Config): TunedModel {
  const maxBatchSize = Number(config["max_batch_size"] ?? 0);
  const groups = list(config["instance_group"]);
  const onGpu = groups.some((group) => group["kind"] === "KIND_GPU");
  const dynamic = config["dynamic_batching"];
  const batcher = dynamic === null || dynamic === undefined ? undefined : configObject(dynamic);
  const preferred = batcher?.["preferred_batch_size"];
  const threads = configText(configObject(configObject(config["parameters"])["intra_op_thread_count"])["string_value"]);
  const accelerators = configObject(configObject(config["optimization"])["execution_accelerators"]);
  const [accelerator] = list(accelerators[onGpu ? "gpu_execution_accelerator" : "cpu_execution_accelerator"]);
  const sequences = config["sequence_batching"] !== undefined && config["sequence_batching"] !== null;
  const instances = groups.reduce((sum, group) => {
    const gpus = Array.isArray(group["gpus"]) ? Math.max(1, group["gpus"].length) : 1;
    return sum + Number(group["count"] ?? 1) * gpus;
  }, 0);
  return {
    name,
    config,
    batches: maxBatchSize > 0,
    sequences,
    onGpu,
    present: {
      instances: Math.max(1, instances),
      maxBatchSize,
      queueDelayUs: batcher === undefined ? null : Number(batcher["max_queue_delay_microseconds"] ?? 0),
      preferred: preferredOf(Array.isArray(preferred) ? preferred.map(Number) : [], maxBatchSize),
      threads: threads === "" ? null : Number(threads),
      accelerator: configText(accelerator?.["name"]) || null,
    },
  };
}

/** The largest size alone is what is filled in where none was written. */
function preferredOf(sizes: readonly number[], maxBatchSize: number): readonly number[] {
  return sizes.length === 1 && sizes[0] === maxBatchSize ? [] : sizes;
}

function list(value: TuningJson | undefined): Config[] {
  return Array.isArray(value) ? value.map(configObject) : [];
}
