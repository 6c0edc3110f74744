import { QUANTILES, type TuningFigures } from "./tuning-types.ts";

/** Share of the answers that come within so many milliseconds, 0 to 1, read from the latencies at `QUANTILES`. Pure. */
export function shareWithin(quantilesUs: readonly number[], limitMs: number): number {
  const limitUs = limitMs * 1000;
  let [share, us] = [0, 0];
  for (const [at, nextShare] of QUANTILES.entries()) {
    const nextUs = quantilesUs[at];
    if (nextUs === undefined) break;
    if (nextUs > limitUs) {
      // The lowest is the fastest of all: nothing lies below it.
      if (at === 0) return 0;
      return nextUs === us ? share : share + ((limitUs - us) / (nextUs - us)) * (nextShare - share);
    }
    [share, us] = [nextShare, nextUs];
  }
  return share;
}

/** Items a second that are answered within so many milliseconds; null = without a limit. Pure. */
export function goodputWithin(
  { throughput, quantilesUs }: Pick<TuningFigures, "throughput" | "quantilesUs">,
  limitMs: number | null,
): number {
  return limitMs === null ? throughput : throughput * shareWithin(quantilesUs, limitMs);
}

/** Latencies at `QUANTILES`, of ascending values, by nearest rank. Pure. */
export function quantilesOf(ascending: ArrayLike<number>, scale = 1): number[] {
  return QUANTILES.map((share) => (ascending[Math.floor(share * (ascending.length - 1) + 0.5)] ?? 0) * scale);
}

/** One of the latencies at `QUANTILES`, straight between those that are kept. Pure. */
export function quantileAt(quantilesUs: readonly number[], share: number): number {
  const above = QUANTILES.findIndex((one) => one >= share);
  const high = quantilesUs[above] ?? 0;
  const highShare = QUANTILES[above] ?? 1;
  const lowShare = QUANTILES[above - 1];
  const low = quantilesUs[above - 1];
  if (lowShare === undefined || low === undefined || highShare === lowShare) return high;
  return low + ((share - lowShare) / (highShare - lowShare)) * (high - low);
}
