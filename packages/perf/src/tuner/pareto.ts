import type { TuningFigures } from "./tuning-types.ts";

/** Those that no other beats in both throughput and p99, by rising throughput. Of equals the first. Pure. */
export function paretoFront<T extends { readonly figures: TuningFigures }>(points: readonly T[]): T[] {
  const sorted = points
    .map((point, index) => ({ point, index }))
    .toSorted(
      (a, b) =>
        b.point.figures.throughput - a.point.figures.throughput ||
        a.point.figures.p99Us - b.point.figures.p99Us ||
        a.index - b.index,
    );
  const front: T[] = [];
  let fastest = Number.POSITIVE_INFINITY;
  for (const { point } of sorted) {
    if (point.figures.p99Us >= fastest) continue;
    fastest = point.figures.p99Us;
    front.push(point);
  }
  return front.reverse();
}
