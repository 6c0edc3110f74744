import { bucketBoundsNs, LatencyHistogram, type SparseHistogram } from "@nereid/telemetry";
import type { HealthFacts } from "./health.ts";
import type { GeneratorFigures, LoadWindow } from "./load-window.ts";
import { phaseMeanUs, type ServerCounters, sumServerFigures } from "./server-figures.ts";

const NS_PER_MS = 1e6;

/** Of a level, or of a part of it. */
export interface TallyFigures {
  readonly seconds: number;
  readonly answered: number;
  readonly failed: number;
  readonly late: number;
  /** Answered well and in time. */
  readonly good: number;
  /** Milliseconds; null of nothing. */
  readonly averageMs: number | null;
  readonly maxMs: number | null;
  /** The served model first; empty where the server tells nothing. */
  readonly server: readonly ServerCounters[];
  readonly generator: GeneratorFigures;
}

/** Counts what became of requests, however many there are: latencies go into a histogram whose buckets are at most 1/32 wide. */
export class LevelTally {
  readonly #histogram = new LatencyHistogram();
  #durationMs = 0;
  #failed = 0;
  #late = 0;
  #good = 0;
  #serviceMs = 0;
  #maxMs = 0;
  #server: readonly ServerCounters[] = [];
  #generator: GeneratorFigures = { cpu: 0, lagMs: 0, processes: 0, stolen: 0 };

  /** Adds a window; latencies count from when requests were due. */
  add(window: LoadWindow, goodWithinMs: number | undefined): void {
    for (const { dueMs, startMs, endMs } of window.requests) {
      const ms = endMs - dueMs;
      this.#histogram.record(ms * NS_PER_MS);
      this.#serviceMs += endMs - startMs;
      this.#maxMs = Math.max(this.#maxMs, ms);
      if (goodWithinMs === undefined || ms <= goodWithinMs) this.#good += 1;
    }
    this.#failed += window.failed;
    this.#late += window.late;
    const names = [...new Set([...this.#server, ...window.server].map(({ name }) => name))];
    const all = [...this.#server, ...window.server];
    this.#server = names.map((name) =>
      sumServerFigures(
        name,
        all.filter((one) => one.name === name),
      ),
    );
    const { cpu, lagMs, processes, stolen } = window.generator;
    const stolenMs = this.#generator.stolen * this.#durationMs + stolen * window.durationMs;
    this.#durationMs += window.durationMs;
    this.#generator = {
      cpu: Math.max(this.#generator.cpu, cpu),
      lagMs: Math.max(this.#generator.lagMs, lagMs),
      processes: Math.max(this.#generator.processes, processes),
      stolen: stolenMs / Math.max(1, this.#durationMs),
    };
  }

  get figures(): TallyFigures {
    const answered = this.#histogram.count;
    return {
      seconds: this.#durationMs / 1000,
      answered,
      failed: this.#failed,
      late: this.#late,
      good: this.#good,
      averageMs: answered === 0 ? null : this.#histogram.sum / answered / NS_PER_MS,
      maxMs: answered === 0 ? null : this.#maxMs,
      server: this.#server,
      generator: this.#generator,
    };
  }

  /** Milliseconds within which so many percent were answered; null of nothing. */
  percentileMs(percentile: number): number | null {
    return quantileMs(this.#histogram.quantile(percentile / 100), this.#maxMs);
  }

  /** Inferences a second. */
  throughput(batch: number): number {
    return this.#perSecond(this.#histogram.count * batch);
  }

  /** Good inferences a second. */
  goodput(batch: number): number {
    return this.#perSecond(this.#good * batch);
  }

  /** What `healthWarnings` looks at. */
  get health(): HealthFacts {
    const { answered, failed, late, generator, server } = this.figures;
    const [served] = server;
    const known = served !== undefined && served.phases.success.count > 0;
    return {
      ended: answered + failed,
      late,
      generator,
      clientUs: answered === 0 ? 0 : (this.#serviceMs * 1000) / answered,
      serverUs: known ? phaseMeanUs(served, "success") : undefined,
    };
  }

  /** Answers by latency, in the buckets of @nereid/telemetry. */
  toSparse(): SparseHistogram {
    return this.#histogram.toSparse();
  }

  #perSecond(count: number): number {
    return this.#durationMs === 0 ? 0 : (count * 1000) / this.#durationMs;
  }
}

/** A quantile is interpolated in its bucket, which reaches beyond the greatest value. */
function quantileMs(ns: number | undefined, maxMs: number): number | null {
  return ns === undefined ? null : Math.min(ns / NS_PER_MS, maxMs);
}

/** Buckets of a histogram as rows of a chart, so many to a factor of two at most: from, to (milliseconds, excluded), count. Pure. */
export function histogramRows(sparse: SparseHistogram, perOctave: number): [number, number, number][] {
  const rows = new Map<number, number>();
  for (const [index, count] of sparse) {
    const { lower } = bucketBoundsNs(index);
    const row = Math.floor(Math.log2(Math.max(1, lower)) * perOctave + 1e-9);
    rows.set(row, (rows.get(row) ?? 0) + count);
  }
  const edge = (row: number) => 2 ** (row / perOctave) / NS_PER_MS;
  return [...rows].sort(([a], [b]) => a - b).map(([row, count]) => [edge(row), edge(row + 1), count]);
}
