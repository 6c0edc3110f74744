/** Percentiles that are always told, as perf_analyzer does. */
export const USUAL_PERCENTILES = [50, 90, 95, 99] as const;

export interface LatencyFigures {
  readonly count: number;
  /** Microseconds; 0 without requests. */
  readonly averageUs: number;
  /** Of a sample (n - 1); undefined below two requests. */
  readonly deviationUs: number | undefined;
  readonly percentilesUs: ReadonlyMap<number, number>;
}

/** The `p`-th percentile of ascending values by nearest rank, perf_analyzer's index: floor(p/100 (n - 1) + 0.5). 0 of nothing. Pure. */
export function percentileOf(ascending: ArrayLike<number>, p: number): number {
  return ascending[Math.floor((p / 100) * (ascending.length - 1) + 0.5)] ?? 0;
}

/** Average, deviation and percentiles of latencies in microseconds, in any order. Pure. */
export function latencyFigures(latenciesUs: Float64Array, more: readonly number[] = []): LatencyFigures {
  const sorted = latenciesUs.toSorted();
  const count = sorted.length;
  const averageUs = count === 0 ? 0 : sorted.reduce((sum, one) => sum + one, 0) / count;
  const squares = sorted.reduce((sum, one) => sum + (one - averageUs) ** 2, 0);
  const wanted = [...new Set<number>([...USUAL_PERCENTILES, ...more])].sort((a, b) => a - b);
  return {
    count,
    averageUs,
    deviationUs: count < 2 ? undefined : Math.sqrt(squares / (count - 1)),
    percentilesUs: new Map(wanted.map((p) => [p, percentileOf(sorted, p)])),
  };
}
