import { BUCKET_COUNT, bucketBoundsNs, bucketIndex, type SparseHistogram } from "@nereid/telemetry";

/** Requests up to a bound, cumulated, as Prometheus has them; `le` in seconds, Infinity for all. */
export interface BoundCount {
  readonly le: number;
  readonly count: number;
}

/**
 * Cumulated counts at a few bounds as our histogram: between two bounds the requests are spread evenly, which is what
 * `histogram_quantile` assumes. What lies beyond the last bound counts as being there.
 */
export function fromBounds(bounds: readonly BoundCount[]): SparseHistogram {
  const sparse: [number, number][] = [];
  let lowerNs = 0;
  let before = 0;
  for (const { le, count } of bounds.toSorted((a, b) => a.le - b.le)) {
    const here = Math.round(count - before);
    before = Math.max(before, count);
    const upperNs = Number.isFinite(le) ? le * 1e9 : lowerNs;
    if (here > 0) spread(sparse, { lowerNs, upperNs, requests: here });
    lowerNs = upperNs;
  }
  return sparse;
}

interface Stretch {
  readonly lowerNs: number;
  readonly upperNs: number;
  readonly requests: number;
}

function spread(sparse: [number, number][], { lowerNs, upperNs, requests }: Stretch): void {
  const first = bucketIndex(lowerNs);
  let placed = 0;
  for (let index = first; index < BUCKET_COUNT && placed < requests; index += 1) {
    const { upper } = bucketBoundsNs(index);
    const share = upper >= upperNs ? 1 : (upper - lowerNs) / (upperNs - lowerNs);
    // Rounding the running total loses no request.
    const count = Math.round(requests * share) - placed;
    placed += count;
    if (count === 0) continue;
    const last = sparse.at(-1);
    if (last?.[0] === index) last[1] += count;
    else sparse.push([index, count]);
  }
}
