import { LatencyHistogram } from "./latency-histogram.ts";
import type { FailureReason, SuccessObservation } from "./phase-durations.ts";
import type { SeriesBucket } from "./second-bucket.ts";

export interface SeriesIdentity {
  readonly model: string;
  readonly version: string;
}

/** What the instances of a version have done, asked once a second. */
export interface InstanceSecond {
  /** Time they were executing since they were last asked, nanoseconds, of all of them together. */
  readonly busyNs: number;
  readonly instances: number;
}

/** What one model version did since the last `take()`. Observing costs a few additions. */
export class SeriesRecorder {
  readonly #identity: SeriesIdentity;
  readonly #latency = new LatencyHistogram();
  #success = 0;
  #failure = 0;
  #inferences = 0;
  #executions = 0;
  #pending = 0;
  #request = 0;
  #queue = 0;
  #computeInput = 0;
  #computeInfer = 0;
  #computeOutput = 0;
  #closed = false;
  #failures: Partial<Record<FailureReason, number>> = {};
  readonly #batchSizes = new Map<number, number>();
  readonly #batchesBy = new Map<string, number>();
  #askInstances: (() => InstanceSecond) | undefined;

  constructor(identity: SeriesIdentity) {
    this.#identity = { model: identity.model, version: identity.version };
  }

  /** Whether `close()` was called: the owner drops the recorder after the next `take()`. */
  get closed(): boolean {
    return this.#closed;
  }

  observeSuccess(observation: SuccessObservation): void {
    this.#success += 1;
    if (observation.cacheHit !== true) this.#inferences += observation.batchSize;
    this.#request += observation.requestNs;
    this.#queue += observation.queueNs;
    this.#computeInput += observation.computeInputNs;
    this.#computeInfer += observation.computeInferNs;
    this.#computeOutput += observation.computeOutputNs;
    this.#latency.record(observation.requestNs);
  }

  observeFailure(reason: FailureReason): void {
    this.#failure += 1;
    this.#failures[reason] = (this.#failures[reason] ?? 0) + 1;
  }

  observeExecution(batchSize: number): void {
    this.#executions += 1;
    this.#batchSizes.set(batchSize, (this.#batchSizes.get(batchSize) ?? 0) + 1);
  }

  /** A batch was sent; `reason` is the scheduler's word for why it was not made larger. */
  observeClosed(reason: string): void {
    this.#batchesBy.set(reason, (this.#batchesBy.get(reason) ?? 0) + 1);
  }

  /** Who tells of the instances; asked at each `take()`, also while nothing happens. */
  watchInstances(ask: () => InstanceSecond): void {
    this.#askInstances = ask;
  }

  setPending(pending: number): void {
    this.#pending = pending;
  }

  /** The model version was unloaded; what it did so far still appears in the next bucket. */
  close(): void {
    this.#closed = true;
    this.#pending = 0;
    this.#askInstances = undefined;
  }

  /** The row of the second that ends now, and back to zero; undefined when nothing happened and nothing is pending. */
  take(): SeriesBucket | undefined {
    const second = this.#askInstances?.();
    const happened = this.#success + this.#failure + this.#inferences + this.#executions + this.#pending;
    if (happened + this.#batchesBy.size + (second?.busyNs ?? 0) === 0) return undefined;
    const bucket: SeriesBucket = {
      ...this.#identity,
      success: this.#success,
      failure: this.#failure,
      inferences: this.#inferences,
      executions: this.#executions,
      pending: this.#pending,
      sumNs: {
        request: this.#request,
        queue: this.#queue,
        computeInput: this.#computeInput,
        computeInfer: this.#computeInfer,
        computeOutput: this.#computeOutput,
      },
      latency: this.#latency.toSparse(),
      ...(this.#failure > 0 && { failures: this.#failures }),
      ...(this.#batchSizes.size > 0 && { batchSizes: [...this.#batchSizes].sort(([a], [b]) => a - b) }),
      ...(this.#batchesBy.size > 0 && { closed: Object.fromEntries(this.#batchesBy) }),
      ...second,
    };
    if (this.#failure > 0) this.#failures = {};
    this.#success = this.#failure = this.#inferences = this.#executions = 0;
    this.#request = this.#queue = this.#computeInput = this.#computeInfer = this.#computeOutput = 0;
    this.#latency.reset();
    this.#batchSizes.clear();
    this.#batchesBy.clear();
    return bucket;
  }
}
