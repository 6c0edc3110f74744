import { ModelInstanceGroup_Kind, parseModelConfig } from "@nereid/model-config";
import type { WindowConfig } from "./stats-window.ts";

/** What decides about waiting and executing, out of a config.pbtxt; null for a text that cannot be read. */
export function readWindowConfig(text: string): WindowConfig | null {
  const { config } = parseModelConfig(text);
  if (config === undefined) return null;
  const { schedulingChoice, instanceGroup, parameters, maxBatchSize, backend, platform } = config;
  const batcher = schedulingChoice.case === "dynamicBatching" ? schedulingChoice.value : undefined;
  const threads = Number(parameters["intra_op_thread_count"]?.stringValue);
  const active = instanceGroup.filter(({ passive }) => !passive);
  return {
    maxBatchSize,
    batches: batcher !== undefined,
    queueDelayUs: Number(batcher?.maxQueueDelayMicroseconds ?? 0),
    preferredSizes: batcher?.preferredBatchSize ?? [],
    maxQueueSize: batcher?.defaultQueuePolicy?.maxQueueSize ?? 0,
    instances: Math.max(
      1,
      active.reduce((sum, { count }) => sum + Math.max(1, count), 0),
    ),
    threads: Number.isInteger(threads) && threads > 0 ? threads : null,
    kind: active.some(({ kind }) => kind === ModelInstanceGroup_Kind.GPU) ? "gpu" : "cpu",
    backend: backend === "" ? platform : backend,
  };
}
