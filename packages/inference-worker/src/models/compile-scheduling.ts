import { type ModelConfig, ModelQueuePolicy_TimeoutAction } from "@nereid/model-config";
import { NO_QUEUE_POLICY, type PriorityPolicy, type QueuePolicy } from "../scheduler/policy.ts";
import { compileSequencePolicy } from "../sequence/sequence-policy.ts";
import type { Scheduling, TensorSpec } from "./model-spec.ts";

const NS_PER_MICROSECOND = 1000;

/** The scheduler of a model, from its completed configuration (scheduling.md §1). */
export function schedulingOf(
  config: ModelConfig,
  context: { readonly readInitialState: (file: string) => Uint8Array; readonly outputs: readonly TensorSpec[] },
): Scheduling {
  const { schedulingChoice } = config;
  switch (schedulingChoice.case) {
    case "dynamicBatching": {
      const batching = schedulingChoice.value;
      return {
        kind: "dynamic",
        batch: {
          maxBatchSize: Math.max(1, config.maxBatchSize),
          preferredBatchSizes: [...batching.preferredBatchSize].sort((a, b) => a - b),
          maxQueueDelayNs: Number(batching.maxQueueDelayMicroseconds) * NS_PER_MICROSECOND,
        },
        preserveOrdering: batching.preserveOrdering,
      };
    }
    case "sequenceBatching":
      return { kind: "sequence", policy: compileSequencePolicy(config, context) };
    case "ensembleScheduling":
      return { kind: "ensemble" };
    default:
      return { kind: "default" };
  }
}

/** Priority levels and their queue policies; those of models without the dynamic batcher limit nothing. */
export function compilePriorities(config: ModelConfig): PriorityPolicy {
  const { schedulingChoice } = config;
  if (schedulingChoice.case !== "dynamicBatching")
    return { levels: 0, defaultLevel: 0, defaultPolicy: NO_QUEUE_POLICY, byLevel: new Map() };
  const batching = schedulingChoice.value;
  return {
    levels: Number(batching.priorityLevels),
    defaultLevel: Number(batching.defaultPriorityLevel),
    defaultPolicy: queuePolicy(batching.defaultQueuePolicy),
    byLevel: new Map(
      Object.entries(batching.priorityQueuePolicy).map(([level, policy]) => [Number(level), queuePolicy(policy)]),
    ),
  };
}

type ConfigQueuePolicy = Extract<
  ModelConfig["schedulingChoice"],
  { case: "dynamicBatching" }
>["value"]["defaultQueuePolicy"];

function queuePolicy(policy: ConfigQueuePolicy): QueuePolicy {
  if (policy === undefined) return NO_QUEUE_POLICY;
  return {
    maxQueueSize: policy.maxQueueSize,
    defaultTimeoutNs: Number(policy.defaultTimeoutMicroseconds) * NS_PER_MICROSECOND,
    allowTimeoutOverride: policy.allowTimeoutOverride,
    timeoutAction: policy.timeoutAction === ModelQueuePolicy_TimeoutAction.DELAY ? "DELAY" : "REJECT",
  };
}
