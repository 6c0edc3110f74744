export interface WeightedPoint {
  readonly at: number;
  readonly value: number;
  readonly weight: number;
}

/**
 * Points whose values rise with their place: neighbours that do not are pooled into their weighted mean, at their weighted mean place
 * (pool adjacent violators). Given in order of place; fewer come out where some were pooled. Pure.
 */
export function poolRising(points: readonly WeightedPoint[]): WeightedPoint[] {
  const pools: WeightedPoint[] = [];
  for (const point of points) {
    let pool = point;
    for (let last = pools.at(-1); last !== undefined && last.value >= pool.value; last = pools.at(-1)) {
      pools.pop();
      const weight = last.weight + pool.weight;
      const mean = (of: "at" | "value") => (last[of] * last.weight + pool[of] * pool.weight) / weight;
      pool = { at: mean("at"), value: mean("value"), weight };
    }
    pools.push(pool);
  }
  return pools;
}
