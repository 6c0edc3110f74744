import { LatencyHistogram } from "./latency-histogram.ts";
import type { SuccessObservation } from "./phase-durations.ts";
import type { SeriesBucket } from "./second-bucket.ts";

export interface SeriesIdentity {
  readonly model: string;
  readonly version: string;
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

  observeFailure(): void {
    this.#failure += 1;
  }

  observeExecution(): void {
    this.#executions += 1;
  }

  setPending(pending: number): void {
    this.#pending = pending;
  }

  /** The model version was unloaded; what it did so far still appears in the next bucket. */
  close(): void {
    this.#closed = true;
    this.#pending = 0;
  }

  /** The row of the second that ends now, and back to zero; undefined when nothing happened and nothing is pending. */
  take(): SeriesBucket | undefined {
    const idle = this.#success + this.#failure + this.#inferences + this.#executions + this.#pending === 0;
    if (idle) return undefined;
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
    };
    this.#success = this.#failure = this.#inferences = this.#executions = 0;
    this.#request = this.#queue = this.#computeInput = this.#computeInfer = this.#computeOutput = 0;
    this.#latency.reset();
    return bucket;
  }
}
