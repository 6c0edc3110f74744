import { NereidError } from "@nereid/errors";
import type { ModelConfig } from "@nereid/model-config";
import type { TensorSpec } from "../models/model-spec.ts";
import type { BatchPolicy } from "../scheduler/policy.ts";
import { compileControls } from "./compile-controls.ts";
import { compileStates } from "./compile-states.ts";
import type { ControlSpec } from "./control-inputs.ts";
import type { StateSpec } from "./implicit-state.ts";

const NS_PER_MICROSECOND = 1000;
const DEFAULT_IDLE_MICROSECONDS = 1_000_000;

export interface DirectStrategy {
  readonly kind: "direct";
  /** 0, here or in the utilization: executes whatever is ready at once. */
  readonly maxQueueDelayNs: number;
  /** Share of the slots that must be ready before the delay is over, 0 to 1. */
  readonly minimumSlotUtilization: number;
}

export interface OldestStrategy {
  readonly kind: "oldest";
  readonly maxCandidateSequences: number;
  readonly batch: BatchPolicy;
  readonly preserveOrdering: boolean;
}

/** `sequence_batching` of a model, compiled (scheduling.md §5). */
export interface SequencePolicy {
  readonly strategy: DirectStrategy | OldestStrategy;
  /** The model has a batch dimension (`max_batch_size` above 0); it is 1 in every request of a sequence. */
  readonly batching: boolean;
  /** Sequences one instance can hold at a time. */
  readonly slotsPerInstance: number;
  readonly maxIdleNs: number;
  /** `iterative_sequence`: the backend may ask for the same request again and again. */
  readonly iterative: boolean;
  readonly controls: readonly ControlSpec[];
  readonly states: readonly StateSpec[];
}

export interface SequenceContext {
  /** Content of a file in the model's `initial_state` directory. Throws where it cannot be read. */
  readonly readInitialState: (file: string) => Uint8Array;
  /** The model's compiled outputs: a state that is also an output for clients is asked for by the same spec. */
  readonly outputs?: readonly TensorSpec[];
}

/**
 * Compiles the sequence batcher of a filled configuration. Throws INVALID_ARGUMENT with Triton's text where a state or its initial
 * value does not fit.
 */
export function compileSequencePolicy(config: ModelConfig, context: SequenceContext): SequencePolicy {
  const { schedulingChoice, maxBatchSize } = config;
  if (schedulingChoice.case !== "sequenceBatching") {
    throw new NereidError("INVALID_ARGUMENT", `model '${config.name}' has no sequence_batching`, {
      fix: "add sequence_batching to its configuration",
    });
  }
  const batching = schedulingChoice.value;
  const strategy = strategyOf(config, batching.strategyChoice);
  const slots = Math.max(1, maxBatchSize);
  return {
    strategy,
    batching: maxBatchSize > 0,
    slotsPerInstance:
      strategy.kind === "oldest" && strategy.maxCandidateSequences > 0 ? strategy.maxCandidateSequences : slots,
    maxIdleNs: (Number(batching.maxSequenceIdleMicroseconds) || DEFAULT_IDLE_MICROSECONDS) * NS_PER_MICROSECOND,
    iterative: batching.iterativeSequence,
    controls: compileControls(batching.controlInput, maxBatchSize > 0),
    states: compileStates(batching.state, {
      ...context,
      model: config.name,
      visible: new Set(config.output.map(({ name }) => name)),
    }),
  };
}

type SequenceBatching = Extract<ModelConfig["schedulingChoice"], { case: "sequenceBatching" }>["value"];

function strategyOf(config: ModelConfig, choice: SequenceBatching["strategyChoice"]): DirectStrategy | OldestStrategy {
  if (choice.case !== "oldest") {
    return {
      kind: "direct",
      maxQueueDelayNs: Number(choice.value?.maxQueueDelayMicroseconds ?? 0n) * NS_PER_MICROSECOND,
      minimumSlotUtilization: choice.value?.minimumSlotUtilization ?? 0,
    };
  }
  const { maxCandidateSequences, preferredBatchSize, maxQueueDelayMicroseconds, preserveOrdering } = choice.value;
  return {
    kind: "oldest",
    maxCandidateSequences,
    batch: {
      maxBatchSize: Math.max(1, config.maxBatchSize),
      preferredBatchSizes: [...preferredBatchSize].sort((a, b) => a - b),
      maxQueueDelayNs: Number(maxQueueDelayMicroseconds) * NS_PER_MICROSECOND,
    },
    preserveOrdering,
  };
}
