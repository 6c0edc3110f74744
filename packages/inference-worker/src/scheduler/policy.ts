/** Queue policy of one priority level (scheduling.md §4); 0 = unlimited or none. */
export interface QueuePolicy {
  readonly maxQueueSize: number;
  readonly defaultTimeoutNs: number;
  readonly allowTimeoutOverride: boolean;
  readonly timeoutAction: "REJECT" | "DELAY";
}

/** Nothing limited: models without a queue policy. */
export const NO_QUEUE_POLICY: QueuePolicy = {
  maxQueueSize: 0,
  defaultTimeoutNs: 0,
  allowTimeoutOverride: false,
  timeoutAction: "REJECT",
};

export interface BatchPolicy {
  /** Largest batch, at least 1. */
  readonly maxBatchSize: number;
  /** Sizes worth sending at once, ascending; may be empty. */
  readonly preferredBatchSizes: readonly number[];
  readonly maxQueueDelayNs: number;
}

/** Priority levels 1 (served first) to `levels`; 0 levels = the request's priority is ignored. */
export interface PriorityPolicy {
  readonly levels: number;
  readonly defaultLevel: number;
  readonly defaultPolicy: QueuePolicy;
  /** Overrides `defaultPolicy`, by level. */
  readonly byLevel: ReadonlyMap<number, QueuePolicy>;
}

/** One class of requests by cost; classes are in ascending order of `maxCost`, the last has Infinity. */
export interface CostClass {
  readonly name: string;
  readonly maxCost: number;
  /** Requests of this class that may wait; 0 = unlimited. */
  readonly maxQueued: number;
  /** Requests of this class that may be executing at once; 0 = unlimited. */
  readonly maxExecuting: number;
  /** Share of the instances' time while several classes wait, relative to the others; at least 1. */
  readonly weight: number;
}

/** What any queue may be limited by, beyond Triton's own policy; 0 = unlimited. */
export interface AdmissionLimits {
  readonly maxRequests: number;
  readonly maxBytes: number;
  /** Time a new request would wait, as predicted from what waits and how fast it has been served. */
  readonly maxPredictedWaitNs: number;
  /** Empty = all requests are of one class. */
  readonly classes: readonly CostClass[];
}

export const NO_ADMISSION_LIMITS: AdmissionLimits = {
  maxRequests: 0,
  maxBytes: 0,
  maxPredictedWaitNs: 0,
  classes: [],
};
