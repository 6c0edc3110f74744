import { BatchStatistics } from "./batch-statistics.ts";
import { BoundHistogram } from "./bound-histogram.ts";
import { CacheStatistics } from "./cache-statistics.ts";
import { LatencyHistogram } from "./latency-histogram.ts";
import {
  type ExecutionObservation,
  FAILURE_REASONS,
  type FailureObservation,
  type FailureReason,
  type Phase,
  type SuccessObservation,
} from "./phase-durations.ts";
import { PhaseSeries } from "./phase-series.ts";
import { type ResponseObservation, ResponseStatistics } from "./response-statistics.ts";
import type { InstanceSecond, SeriesRecorder } from "./series-recorder.ts";
import type { MemoryUsage, ModelStatisticsJson } from "./statistics-json.ts";

const NS_PER_MS = 1e6;

export interface ModelStatisticsOptions {
  /** Wall clock, Unix milliseconds. */
  readonly nowMs: () => number;
  /** Where the per-second series of this version is collected. */
  readonly series?: SeriesRecorder;
  /** GPUs its instances run on; each has a series of its own. */
  readonly gpuUuids?: readonly string[];
  /** Bounds of the first-response histogram in milliseconds; absent = not kept. */
  readonly firstResponseBoundsMs?: readonly number[];
  /** Whether the response cache is used for this model. */
  readonly cached?: boolean;
}

/**
 * Statistics of one loaded model version: start it with the load, drop it with the unload (Triton's reset rule). Sums are
 * doubles and therefore exact up to 2^53 ns; they stay right to 1 ns in 10^15 after that.
 */
export class ModelStatistics {
  /** What happened elsewhere than on a GPU: on CPU instances, and in the scheduler. */
  readonly own = new PhaseSeries();
  readonly byGpu: ReadonlyMap<string, PhaseSeries>;
  /** Only with `firstResponseBoundsMs`. */
  readonly firstResponseMs: BoundHistogram | undefined;
  /** Only of a model with the response cache. */
  readonly cache: CacheStatistics | undefined;
  readonly #options: ModelStatisticsOptions;
  readonly #batches = new BatchStatistics();
  readonly #responses = new ResponseStatistics();
  #failNs = 0;
  #lastInferenceMs = 0;
  #pending = 0;
  #loadSeconds: number | undefined;
  #memory: readonly MemoryUsage[] = [];

  constructor(options: ModelStatisticsOptions) {
    this.#options = options;
    this.byGpu = new Map((options.gpuUuids ?? []).map((uuid) => [uuid, new PhaseSeries()]));
    this.firstResponseMs =
      options.firstResponseBoundsMs === undefined ? undefined : new BoundHistogram(options.firstResponseBoundsMs);
    this.cache = options.cached === true ? new CacheStatistics() : undefined;
  }

  recordSuccess(observation: SuccessObservation): void {
    const { requestNs, computeInputNs, computeInferNs, computeOutputNs } = observation;
    this.#seriesOf(observation.gpuUuid).recordSuccess(observation);
    const endMs = observation.endMs ?? this.#options.nowMs();
    const startMs = Math.floor(endMs - (computeInputNs + computeInferNs + computeOutputNs) / NS_PER_MS);
    if (startMs > this.#lastInferenceMs) this.#lastInferenceMs = startMs;
    this.firstResponseMs?.record((observation.firstResponseNs ?? requestNs) / NS_PER_MS);
    this.#options.series?.observeSuccess(observation);
  }

  recordExecution(execution: ExecutionObservation): void {
    this.#seriesOf(execution.gpuUuid).executions += 1;
    this.#batches.record(execution);
    this.#options.series?.observeExecution(execution.batchSize);
  }

  /** A batch was sent to an instance; `reason` is the scheduler's word for why it was not made larger. */
  recordClosed(reason: string): void {
    this.#options.series?.observeClosed(reason);
  }

  /** Who tells, once a second, of the instances of this version. */
  watchInstances(ask: () => InstanceSecond): void {
    this.#options.series?.watchInstances(ask);
  }

  /** Executions by batch size since the load, ascending. */
  get batchSizes(): readonly (readonly [size: number, executions: number])[] {
    return this.#batches.sizes;
  }

  /** One response of a decoupled model. */
  recordResponse(response: ResponseObservation): void {
    this.#responses.record(response);
  }

  /** A request that failed after it was accepted (metrics.md §2.1: refused requests are not failures). */
  recordFailure({ reason, requestNs, gpuUuid }: FailureObservation): void {
    this.#seriesOf(gpuUuid).failures[reason] += 1;
    this.#failNs += requestNs;
    this.#options.series?.observeFailure(reason);
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

  /** Every set of counters: that without a GPU, and one for each GPU. */
  get allSeries(): readonly PhaseSeries[] {
    return [this.own, ...this.byGpu.values()];
  }

  get success(): number {
    return this.#sum((series) => series.success);
  }

  get inferences(): number {
    return this.#sum((series) => series.inferences);
  }

  get executions(): number {
    return this.#sum((series) => series.executions);
  }

  get pending(): number {
    return this.#pending;
  }

  get loadSeconds(): number | undefined {
    return this.#loadSeconds;
  }

  failures(reason: FailureReason): number {
    return this.#sum((series) => series.failures[reason]);
  }

  /** Microseconds spent in a phase; every request truncated on its own, as Triton counts (metrics.md §2.1). */
  durationUs(phase: Phase): number {
    return this.#sum((series) => series.microseconds[phase]);
  }

  /** The histogram of a phase over the successful requests, whatever they ran on; not to be changed. */
  histogram(phase: Phase): LatencyHistogram {
    if (this.byGpu.size === 0) return this.own.histograms[phase];
    const merged = new LatencyHistogram();
    for (const series of this.allSeries) merged.merge(series.histograms[phase]);
    return merged;
  }

  /** The entry of `model_stats` for this version (metrics.md §3). */
  toStatisticsJson(name: string, version: string): ModelStatisticsJson {
    const of = (phase: Phase) => ({
      count: this.#sum((series) => series.histograms[phase].count),
      ns: this.#sum((series) => series.histograms[phase].sum),
    });
    const failed = FAILURE_REASONS.reduce((sum, reason) => sum + this.failures(reason), 0);
    return {
      name,
      version,
      last_inference: this.#lastInferenceMs,
      inference_count: this.inferences,
      execution_count: this.executions,
      inference_stats: {
        success: of("request"),
        fail: { count: failed, ns: this.#failNs },
        queue: of("queue"),
        compute_input: of("computeInput"),
        compute_infer: of("computeInfer"),
        compute_output: of("computeOutput"),
        cache_hit: { count: this.cache?.hits ?? 0, ns: this.cache?.hitNs ?? 0 },
        cache_miss: { count: this.cache?.misses ?? 0, ns: this.cache?.missNs ?? 0 },
      },
      response_stats: this.#responses.toJson(),
      batch_stats: this.#batches.toJson(),
      memory_usage: this.#memory,
    };
  }

  #seriesOf(gpuUuid: string | undefined): PhaseSeries {
    return gpuUuid === undefined ? this.own : (this.byGpu.get(gpuUuid) ?? this.own);
  }

  #sum(value: (series: PhaseSeries) => number): number {
    let sum = value(this.own);
    for (const series of this.byGpu.values()) sum += value(series);
    return sum;
  }
}
