/** So many values of one dimension were observed. */
export interface Observed {
  readonly value: number;
  readonly count: number;
}

export interface BucketPlan {
  /** Lengths to pad to, ascending; the last is the largest that was observed. */
  readonly edges: readonly number[];
  /** Elements of padding as a share of all elements after padding, 0…1. */
  readonly waste: number;
  /** What one bucket, the largest value, would waste. */
  readonly wasteOfOne: number;
}

/**
 * Bucket edges that pad the observed values with the least elements, at most `most` of them: the exact optimum by dynamic programming over
 * the values that were seen. Fewer edges where more would not save a hundredth of all elements. Null without observations.
 */
export function suggestBuckets(observed: readonly Observed[], most = 4): BucketPlan | null {
  const values = merged(observed);
  const largest = values.at(-1);
  if (largest === undefined) return null;
  const counts = [0];
  for (const { count } of values) counts.push((counts.at(-1) ?? 0) + count);
  const total = values.reduce((sum, { value, count }) => sum + value * count, 0);
  const countOf = (from: number, to: number) => (counts[to + 1] ?? 0) - (counts[from] ?? 0);
  const valueAt = (at: number) => values[at]?.value ?? 0;

  // cost[at]: least padded elements of the values up to `at` with so many buckets, the last of which ends there.
  let cost = values.map((_, at) => valueAt(at) * countOf(0, at));
  const wasteOf = (elements: number) => (elements === 0 ? 0 : (elements - total) / elements);
  const wasteOfOne = wasteOf(cost.at(-1) ?? 0);
  let best: BucketPlan = { edges: [largest.value], waste: wasteOfOne, wasteOfOne };
  const begins: number[][] = [values.map(() => 0)];
  for (let buckets = 2; buckets <= Math.min(most, values.length); buckets += 1) {
    const begin = values.map(() => 0);
    const before = cost;
    cost = values.map((_, at) => {
      let least = before[at] ?? Number.POSITIVE_INFINITY;
      begin[at] = -1;
      for (let from = 1; from <= at; from += 1) {
        const elements = (before[from - 1] ?? 0) + valueAt(at) * countOf(from, at);
        if (elements >= least) continue;
        least = elements;
        begin[at] = from;
      }
      return least;
    });
    begins.push(begin);
    const waste = wasteOf(cost.at(-1) ?? 0);
    if (best.waste - waste < 0.01) break;
    best = { edges: edgesOf(begins, valueAt, values.length - 1), waste, wasteOfOne };
  }
  return best;
}

/** Follows the choices back from the last value. */
function edgesOf(begins: readonly (readonly number[])[], valueAt: (at: number) => number, end: number): number[] {
  const edges: number[] = [];
  let at = end;
  for (let level = begins.length - 1; level >= 0 && at >= 0; level -= 1) {
    const begin = begins[level]?.[at] ?? 0;
    // One bucket fewer was no worse here.
    if (begin === -1) continue;
    edges.unshift(valueAt(at));
    at = begin - 1;
  }
  return edges;
}

function merged(observed: readonly Observed[]): Observed[] {
  const byValue = new Map<number, number>();
  for (const { value, count } of observed)
    if (value > 0 && count > 0) byValue.set(value, (byValue.get(value) ?? 0) + count);
  return [...byValue].sort(([a], [b]) => a - b).map(([value, count]) => ({ value, count }));
}
