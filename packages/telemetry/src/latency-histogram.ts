import { BUCKET_COUNT, bucketBoundsNs, bucketIndex, OVERFLOW_INDEX } from "./latency-buckets.ts";
import { quantileFromSparse, type SparseHistogram } from "./sparse-histogram.ts";

/** Counts of a histogram at one moment; only buckets that were not empty. */
export interface HistogramSnapshot {
  readonly indices: Uint16Array;
  readonly counts: Float64Array;
}

/** Histogram of durations in nanoseconds; layout in latency-buckets.ts (≤ 3.2 % relative error). About 10 kB. */
export class LatencyHistogram {
  readonly #counts = new Float64Array(BUCKET_COUNT);
  #count = 0;
  #sum = 0;

  /** Number of recorded durations. */
  get count(): number {
    return this.#count;
  }

  /** Exact sum of the recorded durations in ns (below 2^53); an estimate from bucket middles after `fromSparse`. */
  get sum(): number {
    return this.#sum;
  }

  /** Adds one duration. Negative values and NaN count as 0. */
  record(ns: number): void {
    const value = ns > 0 ? ns : 0;
    const index = bucketIndex(value);
    this.#counts[index] = (this.#counts[index] ?? 0) + 1;
    this.#count += 1;
    this.#sum += value;
  }

  /** Adds another histogram to this one. */
  merge(other: LatencyHistogram): void {
    for (let index = 0; index < BUCKET_COUNT; index += 1) {
      this.#counts[index] = this.#at(index) + other.#at(index);
    }
    this.#count += other.#count;
    this.#sum += other.#sum;
  }

  /** Takes an earlier state of this histogram out of it. Throws RangeError when `other` holds what this one lacks. */
  subtract(other: LatencyHistogram): void {
    for (let index = 0; index < BUCKET_COUNT; index += 1) {
      if (this.#at(index) < other.#at(index))
        throw new RangeError("the subtracted histogram is not a part of this one");
    }
    for (let index = 0; index < BUCKET_COUNT; index += 1) {
      this.#counts[index] = this.#at(index) - other.#at(index);
    }
    this.#count -= other.#count;
    this.#sum -= other.#sum;
  }

  /** Quantile `q` (0…1) in ns; rules of `quantileFromSparse`. */
  quantile(q: number): number | undefined {
    return quantileFromSparse(this.toSparse(), q);
  }

  /** How many recorded durations lie in bucket `index` or below it. */
  cumulativeCount(index: number): number {
    let total = 0;
    for (let at = 0; at <= index && at < BUCKET_COUNT; at += 1) total += this.#at(at);
    return total;
  }

  /** `cumulativeCount` of several buckets, ascending, in one pass. */
  cumulativeCounts(indices: readonly number[]): readonly number[] {
    let total = 0;
    let at = 0;
    return indices.map((index) => {
      for (; at <= index && at < BUCKET_COUNT; at += 1) total += this.#at(at);
      return total;
    });
  }

  toSparse(): SparseHistogram {
    const sparse: [number, number][] = [];
    if (this.#count === 0) return sparse;
    for (let index = 0; index < BUCKET_COUNT; index += 1) {
      const count = this.#at(index);
      if (count > 0) sparse.push([index, count]);
    }
    return sparse;
  }

  /** The counts as they are now. */
  snapshot(): HistogramSnapshot {
    return this.since(undefined);
  }

  /** What was recorded since an earlier snapshot of this histogram; everything for undefined. */
  since(past: HistogramSnapshot | undefined): HistogramSnapshot {
    const counts = Float64Array.from(this.#counts);
    past?.indices.forEach((index, at) => {
      counts[index] = (counts[index] ?? 0) - (past.counts[at] ?? 0);
    });
    let filled = 0;
    for (let index = 0; index < BUCKET_COUNT; index += 1) if ((counts[index] ?? 0) > 0) filled += 1;
    const indices = new Uint16Array(filled);
    let at = 0;
    for (let index = 0; index < BUCKET_COUNT; index += 1) {
      const count = counts[index] ?? 0;
      if (count <= 0) continue;
      indices[at] = index;
      // Never ahead of what is read.
      counts[at] = count;
      at += 1;
    }
    return { indices, counts: counts.slice(0, filled) };
  }

  /** Back to empty, keeping the memory. */
  reset(): void {
    if (this.#count === 0) return;
    this.#counts.fill(0);
    this.#count = 0;
    this.#sum = 0;
  }

  /** Histogram with these counts. Throws RangeError for an unknown index or a negative or fractional count. */
  static fromSparse(sparse: SparseHistogram): LatencyHistogram {
    const histogram = new LatencyHistogram();
    for (const [index, count] of sparse) {
      const { lower, upper } = bucketBoundsNs(index);
      if (!Number.isInteger(count) || count < 0) throw new RangeError(`count ${count} of bucket ${index} is no count`);
      histogram.#counts[index] = histogram.#at(index) + count;
      histogram.#count += count;
      histogram.#sum += count * (index === OVERFLOW_INDEX ? lower : (lower + upper) / 2);
    }
    return histogram;
  }

  #at(index: number): number {
    return this.#counts[index] ?? 0;
  }
}
