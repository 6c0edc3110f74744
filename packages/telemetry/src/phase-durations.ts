/** Phases of a request, in the order they are printed. */
export const PHASES = ["request", "queue", "computeInput", "computeInfer", "computeOutput"] as const;

export type Phase = (typeof PHASES)[number];

/** Where something happened: the GPU of the instance, undefined elsewhere. Its series has the label `gpu_uuid`. */
interface Placed {
  readonly gpuUuid?: string | undefined;
}

/** A request that ended well. Durations in nanoseconds. */
export interface SuccessObservation extends Placed {
  /** 1 for a model without batching. */
  readonly batchSize: number;
  readonly requestNs: number;
  readonly queueNs: number;
  readonly computeInputNs: number;
  readonly computeInferNs: number;
  readonly computeOutputNs: number;
  /** Time to the first response, where that is not the whole request. */
  readonly firstResponseNs?: number;
  /** Answered from the response cache: neither inferences nor compute times are counted. */
  readonly cacheHit?: boolean;
  /** Wall clock at the end of the request, ms; default: the injected clock. */
  readonly endMs?: number;
}

/** One batch execution. Durations in nanoseconds. */
export interface ExecutionObservation extends Placed {
  readonly batchSize: number;
  readonly computeInputNs: number;
  readonly computeInferNs: number;
  readonly computeOutputNs: number;
}

/** Values of the `reason` label of nv_inference_request_failure. */
export const FAILURE_REASONS = ["REJECTED", "CANCELED", "BACKEND", "OTHER"] as const;

export type FailureReason = (typeof FAILURE_REASONS)[number];

export interface FailureObservation extends Placed {
  readonly reason: FailureReason;
  readonly requestNs: number;
}
