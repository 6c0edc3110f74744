/** Phases of a request, in the order they are printed. */
export const PHASES = ["request", "queue", "computeInput", "computeInfer", "computeOutput"] as const;

export type Phase = (typeof PHASES)[number];

/** A request that ended well. Durations in nanoseconds. */
export interface SuccessObservation {
  /** 1 for a model without batching. */
  readonly batchSize: number;
  readonly requestNs: number;
  readonly queueNs: number;
  readonly computeInputNs: number;
  readonly computeInferNs: number;
  readonly computeOutputNs: number;
  /** Wall clock at the end of the request, ms; default: the injected clock. */
  readonly endMs?: number;
}

/** One batch execution. Durations in nanoseconds. */
export interface ExecutionObservation {
  readonly batchSize: number;
  readonly computeInputNs: number;
  readonly computeInferNs: number;
  readonly computeOutputNs: number;
}

/** Values of the `reason` label of nv_inference_request_failure. */
export const FAILURE_REASONS = ["REJECTED", "CANCELED", "BACKEND", "OTHER"] as const;

export type FailureReason = (typeof FAILURE_REASONS)[number];

export interface FailureObservation {
  readonly reason: FailureReason;
  readonly requestNs: number;
}
