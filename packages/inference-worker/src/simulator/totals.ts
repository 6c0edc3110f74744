import { OUTCOME_KINDS, type OutcomeKind, type SimulatedOutcome } from "./outcomes.ts";

const NS_PER_S = 1e9;

/** Nanoseconds; NaN when nothing was executed. */
export interface Percentiles {
  readonly mean: number;
  readonly p50: number;
  readonly p90: number;
  readonly p95: number;
  readonly p99: number;
  readonly p999: number;
  readonly max: number;
}

export interface SimulationTotals {
  readonly requests: number;
  readonly byKind: Readonly<Record<OutcomeKind, number>>;
  /** From the first arrival to the last thing that happened. */
  readonly durationNs: number;
  /** Executed requests, and their batch items. */
  readonly requestsPerSecond: number;
  readonly itemsPerSecond: number;
  /** Arrival to answer, and arrival to the start of the execution, of the executed requests. */
  readonly latency: Percentiles;
  readonly wait: Percentiles;
  /** Number of batches by their size. */
  readonly batchSizes: ReadonlyMap<number, number>;
  /** Share of the instances' time in which they executed, 0 to 1. */
  readonly utilization: number;
}

/** Adds up a simulation as it runs. */
export class TotalsBuilder {
  readonly #byKind = Object.fromEntries(OUTCOME_KINDS.map((kind) => [kind, 0])) as Record<OutcomeKind, number>;
  readonly #latencies = new Numbers();
  readonly #waits = new Numbers();
  readonly #batchSizes = new Map<number, number>();
  #firstNs = Number.POSITIVE_INFINITY;
  #lastNs = 0;
  #items = 0;
  #busyNs = 0;

  outcome({ kind, arrivedNs, startNs, endNs }: SimulatedOutcome): void {
    this.#byKind[kind] += 1;
    this.#firstNs = Math.min(this.#firstNs, arrivedNs);
    this.#lastNs = Math.max(this.#lastNs, endNs);
    if (kind !== "executed") return;
    this.#latencies.push(endNs - arrivedNs);
    this.#waits.push(startNs - arrivedNs);
  }

  batch(size: number, busyNs: number): void {
    this.#batchSizes.set(size, (this.#batchSizes.get(size) ?? 0) + 1);
    this.#items += size;
    this.#busyNs += busyNs;
  }

  build(instances: number): SimulationTotals {
    const durationNs = Math.max(0, this.#lastNs - this.#firstNs);
    const perSecond = (count: number) => (durationNs === 0 ? 0 : (count / durationNs) * NS_PER_S);
    return {
      requests: Object.values(this.#byKind).reduce((sum, count) => sum + count, 0),
      byKind: this.#byKind,
      durationNs,
      requestsPerSecond: perSecond(this.#byKind.executed),
      itemsPerSecond: perSecond(this.#items),
      latency: this.#latencies.percentiles(),
      wait: this.#waits.percentiles(),
      batchSizes: new Map([...this.#batchSizes].sort(([a], [b]) => a - b)),
      utilization: durationNs === 0 ? 0 : this.#busyNs / (durationNs * instances),
    };
  }
}

class Numbers {
  #values = new Float64Array(1024);
  #length = 0;

  push(value: number): void {
    if (this.#length === this.#values.length) {
      const larger = new Float64Array(this.#length * 2);
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[this.#length++] = value;
  }

  percentiles(): Percentiles {
    const sorted = this.#values.slice(0, this.#length).sort();
    const at = (share: number) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
    const sum = sorted.reduce((total, value) => total + value, 0);
    return {
      mean: sorted.length === 0 ? Number.NaN : sum / sorted.length,
      p50: at(0.5),
      p90: at(0.9),
      p95: at(0.95),
      p99: at(0.99),
      p999: at(0.999),
      max: at(1),
    };
  }
}
