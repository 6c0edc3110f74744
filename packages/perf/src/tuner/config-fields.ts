import { configObject } from "./config-values.ts";
import type { TunedModel } from "./tuned-model.ts";
import type { TuningJson, TuningSetting } from "./tuning-types.ts";

/** Fields of a model configuration, whole at the top level, that make a setting of a model's present one. Null = without it. Pure. */
export function configFields(setting: TuningSetting, model: TunedModel): { readonly [name: string]: TuningJson } {
  const { config, present } = model;
  const fields: Record<string, TuningJson> = {};
  if (setting.instances !== present.instances) fields["instance_group"] = instanceGroups(setting.instances, model);
  if (setting.maxBatchSize !== present.maxBatchSize) fields["max_batch_size"] = setting.maxBatchSize;
  const batcherIs = JSON.stringify([present.queueDelayUs, present.preferred]);
  const isOther = batcherIs !== JSON.stringify([setting.queueDelayUs, setting.preferred]);
  // The configuration in force names the largest size as the preferred one, which another largest size must not inherit.
  const isResized = setting.maxBatchSize !== present.maxBatchSize && setting.queueDelayUs !== null;
  if (isOther || isResized) fields["dynamic_batching"] = dynamicBatching(setting, config["dynamic_batching"]);
  if (setting.threads !== null && setting.threads !== present.threads)
    fields["parameters"] = {
      ...configObject(config["parameters"]),
      intra_op_thread_count: { string_value: String(setting.threads) },
    };
  if (setting.accelerator !== null && setting.accelerator !== present.accelerator) {
    const optimization = configObject(config["optimization"]);
    const kind = model.onGpu ? "gpu_execution_accelerator" : "cpu_execution_accelerator";
    fields["optimization"] = {
      ...optimization,
      execution_accelerators: {
        ...configObject(optimization["execution_accelerators"]),
        [kind]: [{ name: setting.accelerator }],
      },
    };
  }
  return fields;
}

function instanceGroups(count: number, { config, onGpu }: TunedModel): TuningJson {
  const [first] = Array.isArray(config["instance_group"]) ? config["instance_group"].map(configObject) : [];
  const { gpus, name: _name, ...rest } = first ?? {};
  const onOne = Array.isArray(gpus) && gpus.length > 0 ? { gpus: [gpus[0] ?? 0] } : {};
  return [{ ...rest, kind: onGpu ? "KIND_GPU" : "KIND_CPU", count, ...(onGpu ? onOne : {}) }];
}

function dynamicBatching({ queueDelayUs, preferred }: TuningSetting, present: TuningJson | undefined): TuningJson {
  if (queueDelayUs === null) return null;
  return {
    ...configObject(present),
    max_queue_delay_microseconds: queueDelayUs,
    preferred_batch_size: [...preferred],
  };
}
