import { LatencyHistogram, mergeSparse, quantileFromSparse, type SparseHistogram } from "@nereid/telemetry";
import type { LoadWindow } from "./load-window.ts";

const NS_PER_MS = 1e6;
const MOST_POINTS = 300;

/** What a chart shows of a stretch of time; times in milliseconds, rates a second. */
export interface SeriesPoint {
  /** Seconds since the beginning, at its end. */
  readonly t: number;
  readonly level: number;
  readonly offered: number | null;
  readonly throughput: number;
  readonly p50: number | null;
  readonly p90: number | null;
  readonly p99: number | null;
  readonly failed: number;
  readonly good: number;
  readonly serverQueueMs: number | null;
  readonly serverComputeMs: number | null;
  readonly generatorCpu: number;
}

/** A point before its figures are worked out, so that neighbours can become one without loss. */
interface RawPoint extends Pick<SeriesPoint, "t" | "level" | "offered" | "failed" | "good" | "generatorCpu"> {
  readonly durationMs: number;
  readonly answered: number;
  readonly latency: SparseHistogram;
  /** Of the served model: requests, and nanoseconds they waited and were computed. */
  readonly server: { readonly count: number; readonly queueNs: number; readonly computeNs: number };
}

export interface SeriesSecond extends Pick<SeriesPoint, "t" | "level" | "offered"> {
  readonly window: LoadWindow;
  readonly goodWithinMs: number | undefined;
}

/** Seconds of a load test as points of a chart; when there are too many, neighbours of one level become one. */
export class PointSeries {
  readonly #batch: number;
  readonly #histogram = new LatencyHistogram();
  #points: readonly RawPoint[] = [];

  /** `batch` inferences are in each request. */
  constructor(batch: number) {
    this.#batch = batch;
  }

  add(second: SeriesSecond): void {
    this.#points = [...this.#points, this.#raw(second)];
    if (this.#points.length > MOST_POINTS) this.#points = inPairs(this.#points);
  }

  get points(): SeriesPoint[] {
    return this.#points.map((one) => pointOf(one, this.#batch));
  }

  #raw({ t, level, offered, window, goodWithinMs }: SeriesSecond): RawPoint {
    const latencies = window.requests.map(({ endMs, dueMs }) => endMs - dueMs);
    this.#histogram.reset();
    for (const ms of latencies) this.#histogram.record(ms * NS_PER_MS);
    const { success, queue, computeInput, computeInfer, computeOutput } = window.server[0]?.phases ?? NO_PHASES;
    return {
      t,
      level,
      offered,
      failed: window.failed,
      good: latencies.filter((ms) => goodWithinMs === undefined || ms <= goodWithinMs).length,
      generatorCpu: window.generator.cpu,
      durationMs: window.durationMs,
      answered: latencies.length,
      latency: this.#histogram.toSparse(),
      server: {
        count: success.count,
        queueNs: queue.ns,
        computeNs: computeInput.ns + computeInfer.ns + computeOutput.ns,
      },
    };
  }
}

const NONE = { count: 0, ns: 0 };
const NO_PHASES = { success: NONE, queue: NONE, computeInput: NONE, computeInfer: NONE, computeOutput: NONE };

/** Each two neighbours of one level as one. Pure. */
function inPairs(points: readonly RawPoint[]): RawPoint[] {
  const paired: RawPoint[] = [];
  for (let at = 0; at < points.length; at += 1) {
    const [one, next] = [points[at], points[at + 1]];
    if (one === undefined) continue;
    if (next === undefined || next.level !== one.level) {
      paired.push(one);
      continue;
    }
    paired.push(together(one, next));
    at += 1;
  }
  return paired;
}

function together(one: RawPoint, next: RawPoint): RawPoint {
  return {
    t: next.t,
    level: next.level,
    offered: next.offered,
    failed: one.failed + next.failed,
    good: one.good + next.good,
    generatorCpu: Math.max(one.generatorCpu, next.generatorCpu),
    durationMs: one.durationMs + next.durationMs,
    answered: one.answered + next.answered,
    latency: mergeSparse([one.latency, next.latency]),
    server: {
      count: one.server.count + next.server.count,
      queueNs: one.server.queueNs + next.server.queueNs,
      computeNs: one.server.computeNs + next.server.computeNs,
    },
  };
}

function pointOf({ latency, server, durationMs, answered, ...point }: RawPoint, batch: number): SeriesPoint {
  const { t, level, offered, failed, good, generatorCpu } = point;
  const quantile = (q: number) => {
    const ns = quantileFromSparse(latency, q);
    return ns === undefined ? null : rounded(ns / NS_PER_MS);
  };
  const mean = (ns: number) => (server.count === 0 ? null : rounded(ns / server.count / NS_PER_MS));
  return {
    t: rounded(t),
    level,
    offered,
    throughput: durationMs === 0 ? 0 : rounded((answered * batch * 1000) / durationMs),
    p50: quantile(0.5),
    p90: quantile(0.9),
    p99: quantile(0.99),
    failed,
    good,
    serverQueueMs: mean(server.queueNs),
    serverComputeMs: mean(server.computeNs),
    generatorCpu: rounded(generatorCpu),
  };
}

/** Points are sent to browsers each second: digits that no chart shows are left out. */
function rounded(value: number): number {
  return Number(value.toPrecision(5));
}
