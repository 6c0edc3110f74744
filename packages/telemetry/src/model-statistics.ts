import { BatchStatistics } from "./batch-statistics.ts";
import { LatencyHistogram } from "./latency-histogram.ts";
import type {
  ExecutionObservation,
  FailureObservation,
  FailureReason,
  Phase,
  SuccessObservation,
} from "./phase-durations.ts";
import type { SeriesRecorder } from "./series-recorder.ts";
import type { MemoryUsage, ModelStatisticsJson } from "./statistics-json.ts";

const NS_PER_MS = 1e6;
const NS_PER_US = 1000;

export interface ModelStatisticsOptions {
  /** Wall clock, Unix milliseconds. */
  readonly nowMs: () => number;
  /** Where the per-second series of this version is collected. */
  readonly series?: SeriesRecorder;
}

type PhaseNumbers = Record<Phase, number>;

/**
 * Statistics of one loaded model version: start it with the load, drop it with the unload (Triton's reset rule). Sums are
 * doubles and therefore exact up to 2^53 ns; they stay right to 1 ns in 10^15 after that.
 */
export class ModelStatistics {
  readonly #options: ModelStatisticsOptions;
  readonly #histograms: Readonly<Record<Phase, LatencyHistogram>> = {
    request: new LatencyHistogram(),
    queue: new LatencyHistogram(),
    computeInput: new LatencyHistogram(),
    computeInfer: new LatencyHistogram(),
    computeOutput: new LatencyHistogram(),
  };
  readonly #microseconds: PhaseNumbers = { request: 0, queue: 0, computeInput: 0, computeInfer: 0, computeOutput: 0 };
  readonly #failures: Record<FailureReason, number> = { REJECTED: 0, CANCELED: 0, BACKEND: 0, OTHER: 0 };
  readonly #batches = new BatchStatistics();
  #failNs = 0;
  #inferences = 0;
  #executions = 0;
  #lastInferenceMs = 0;
  #pending = 0;
  #loadSeconds: number | undefined;
  #memory: readonly MemoryUsage[] = [];

  constructor(options: ModelStatisticsOptions) {
    this.#options = options;
  }

  recordSuccess(observation: SuccessObservation): void {
    const { requestNs, queueNs, computeInputNs, computeInferNs, computeOutputNs } = observation;
    this.#inferences += observation.batchSize;
    // Spelled out: looking the phases up by name would cost more than recording them.
    const histograms = this.#histograms;
    histograms.request.record(requestNs);
    histograms.queue.record(queueNs);
    histograms.computeInput.record(computeInputNs);
    histograms.computeInfer.record(computeInferNs);
    histograms.computeOutput.record(computeOutputNs);
    const microseconds = this.#microseconds;
    microseconds.request += Math.trunc(requestNs / NS_PER_US);
    microseconds.queue += Math.trunc(queueNs / NS_PER_US);
    microseconds.computeInput += Math.trunc(computeInputNs / NS_PER_US);
    microseconds.computeInfer += Math.trunc(computeInferNs / NS_PER_US);
    microseconds.computeOutput += Math.trunc(computeOutputNs / NS_PER_US);
    const endMs = observation.endMs ?? this.#options.nowMs();
    const startMs = Math.floor(endMs - (computeInputNs + computeInferNs + computeOutputNs) / NS_PER_MS);
    if (startMs > this.#lastInferenceMs) this.#lastInferenceMs = startMs;
    this.#options.series?.observeSuccess(observation);
  }

  recordExecution(execution: ExecutionObservation): void {
    this.#executions += 1;
    this.#batches.record(execution);
    this.#options.series?.observeExecution();
  }

  /** A request that failed after it was accepted (metrics.md §2.1: refused requests are not failures). */
  recordFailure({ reason, requestNs }: FailureObservation): void {
    this.#failures[reason] += 1;
    this.#failNs += requestNs;
    this.#options.series?.observeFailure();
  }

  /** A request was accepted and waits for its execution. */
  incrementPending(): void {
    this.#pending += 1;
    this.#options.series?.setPending(this.#pending);
  }

  /** A waiting request began to execute or was released. Never goes below 0. */
  decrementPending(): void {
    if (this.#pending > 0) this.#pending -= 1;
    this.#options.series?.setPending(this.#pending);
  }

  setLoadSeconds(seconds: number): void {
    this.#loadSeconds = seconds;
  }

  setMemoryUsage(memory: readonly MemoryUsage[]): void {
    this.#memory = memory;
  }

  get success(): number {
    return this.#histograms.request.count;
  }

  get inferences(): number {
    return this.#inferences;
  }

  get executions(): number {
    return this.#executions;
  }

  get pending(): number {
    return this.#pending;
  }

  get loadSeconds(): number | undefined {
    return this.#loadSeconds;
  }

  failures(reason: FailureReason): number {
    return this.#failures[reason];
  }

  /** Microseconds spent in a phase; every request truncated on its own, as Triton counts (metrics.md §2.1). */
  durationUs(phase: Phase): number {
    return this.#microseconds[phase];
  }

  /** The live histogram of a phase over the successful requests. */
  histogram(phase: Phase): LatencyHistogram {
    return this.#histograms[phase];
  }

  /** The entry of `model_stats` for this version (metrics.md §3). */
  toStatisticsJson(name: string, version: string): ModelStatisticsJson {
    const { REJECTED, CANCELED, BACKEND, OTHER } = this.#failures;
    const of = (phase: Phase) => ({ count: this.#histograms[phase].count, ns: this.#histograms[phase].sum });
    return {
      name,
      version,
      last_inference: this.#lastInferenceMs,
      inference_count: this.#inferences,
      execution_count: this.#executions,
      inference_stats: {
        success: of("request"),
        fail: { count: REJECTED + CANCELED + BACKEND + OTHER, ns: this.#failNs },
        queue: of("queue"),
        compute_input: of("computeInput"),
        compute_infer: of("computeInfer"),
        compute_output: of("computeOutput"),
        cache_hit: { count: 0, ns: 0 },
        cache_miss: { count: 0, ns: 0 },
      },
      response_stats: {},
      batch_stats: this.#batches.toJson(),
      memory_usage: this.#memory,
    };
  }
}
