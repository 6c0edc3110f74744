import { bucketBoundsNs } from "./latency-buckets.ts";

/** `[bucket index, count]`, ascending by index, counts above 0. */
export type SparseHistogram = readonly (readonly [number, number])[];

/**
 * Quantile `q` (0…1) of a sparse histogram in nanoseconds, interpolated inside its bucket; undefined when it is empty.
 * Values in the overflow bucket answer with that bucket's lower bound. Throws RangeError for q outside 0…1.
 */
export function quantileFromSparse(sparse: SparseHistogram, q: number): number | undefined {
  if (!(q >= 0 && q <= 1)) throw new RangeError(`quantile ${q} is outside 0…1`);
  let total = 0;
  for (const [, count] of sparse) total += count;
  if (total === 0) return undefined;
  const rank = q * total;
  let before = 0;
  let last = 0;
  for (const [index, count] of sparse) {
    if (count === 0) continue;
    const { lower, upper } = bucketBoundsNs(index);
    if (rank <= before + count)
      return upper === Number.POSITIVE_INFINITY ? lower : interpolate(lower, upper, (rank - before) / count);
    before += count;
    last = lower;
  }
  // Only reached when rounding put the rank a hair above the total.
  return last;
}

/** Sum of several sparse histograms (e.g. seconds into a minute). */
export function mergeSparse(parts: Iterable<SparseHistogram>): SparseHistogram {
  const counts = new Map<number, number>();
  for (const part of parts) {
    for (const [index, count] of part) counts.set(index, (counts.get(index) ?? 0) + count);
  }
  return [...counts].sort(([a], [b]) => a - b);
}

function interpolate(lower: number, upper: number, share: number): number {
  return lower + (upper - lower) * share;
}
