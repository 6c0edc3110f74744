import { bucketBoundsNs, OVERFLOW_INDEX, type SparseHistogram } from "@nereid/telemetry";

const BINS_PER_OCTAVE = 2;

/** `[bin, requests]`, ascending: a histogram coarse enough for a picture. Bin `b` begins at 2^(b / 2) ns. */
export type HeatBins = readonly (readonly [bin: number, requests: number])[];

/** The fine buckets of a histogram in bins of half an octave: each holds latencies up to 1.41 times as long as its shortest. */
export function heatBinsOf(latency: SparseHistogram): HeatBins {
  const bins = new Map<number, number>();
  for (const [index, count] of latency) {
    const { lower, upper } = bucketBoundsNs(index);
    const middle = index === OVERFLOW_INDEX ? lower : (lower + upper) / 2;
    const bin = Math.floor(Math.log2(Math.max(1, middle)) * BINS_PER_OCTAVE);
    bins.set(bin, (bins.get(bin) ?? 0) + count);
  }
  return [...bins].sort(([a], [b]) => a - b);
}

/** How many of the requests took no longer than so many milliseconds; a bucket that holds the limit counts in proportion. */
export function countWithin(latency: SparseHistogram, limitMs: number): number {
  const limit = limitMs * 1e6;
  let within = 0;
  for (const [index, count] of latency) {
    const { lower, upper } = bucketBoundsNs(index);
    if (upper <= limit) within += count;
    else if (lower < limit && index !== OVERFLOW_INDEX) within += (count * (limit - lower)) / (upper - lower);
  }
  return Math.round(within);
}
