import { bucketBoundsNs, type SparseHistogram } from "@nereid/telemetry";
import type { SeriesSums } from "../history/series-sums.ts";

const NS_PER_MS = 1e6;

/** How many of a histogram's values are at most so many milliseconds; inside a bucket by its share. */
export function countWithin(latency: SparseHistogram, limitMs: number): number {
  const limit = limitMs * NS_PER_MS;
  let count = 0;
  for (const [index, here] of latency) {
    const { lower, upper } = bucketBoundsNs(index);
    if (upper <= limit) count += here;
    else if (lower < limit && upper !== Number.POSITIVE_INFINITY) count += (here * (limit - lower)) / (upper - lower);
  }
  return count;
}

/** Requests that kept the promise, and all that ended. A request is good when it succeeded, and soon enough where that is asked. */
export interface Kept {
  readonly good: number;
  readonly all: number;
}

/** Null where the promise is about latency and the node has no histograms, so that nobody can say. */
export function keptOf(sums: SeriesSums, latencyMs: number | null): Kept | null {
  const all = sums.success + sums.failure;
  if (latencyMs === null) return { good: sums.success, all };
  if (sums.success > 0 && sums.latency.length === 0) return null;
  return { good: Math.min(sums.success, countWithin(sums.latency, latencyMs)), all };
}
