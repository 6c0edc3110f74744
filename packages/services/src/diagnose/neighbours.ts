import type { SecondBucket } from "@nereid/client";
import { computeNs } from "./build-window.ts";
import type { NeighbourShare } from "./stats-window.ts";

const SHOWN = 5;
const NS_PER_MS = 1e6;

export interface NeighbourQuestion {
  /** The model whose neighbours are wanted. */
  readonly model: string;
  /** Unix seconds, `to` exclusive. */
  readonly from: number;
  readonly to: number;
}

/** How busy the other models of a node were, out of its remembered seconds; undefined where these begin later than the window. */
export function rememberedNeighbours(
  buckets: readonly SecondBucket[],
  { model, from, to }: NeighbourQuestion,
): NeighbourShare[] | undefined {
  if ((buckets[0]?.t ?? Number.POSITIVE_INFINITY) > from) return undefined;
  const sums = new Map<string, { busyNs: number; computeInfer: number; executions: number; inferences: number }>();
  for (const { t, series } of buckets) {
    if (t < from || t >= to) continue;
    for (const one of series) {
      if (one.model === model) continue;
      const sum = sums.get(one.model) ?? { busyNs: 0, computeInfer: 0, executions: 0, inferences: 0 };
      sum.busyNs += one.busyNs ?? 0;
      sum.computeInfer += one.sumNs.computeInfer;
      sum.executions += one.executions;
      sum.inferences += one.inferences;
      sums.set(one.model, sum);
    }
  }
  const seconds = Math.max(1, to - from);
  return busiest(
    [...sums].map(([name, { computeInfer, ...sum }]) => ({
      model: name,
      computeMsPerSecond: computeNs({ ...sum, sumNs: { computeInfer } }) / NS_PER_MS / seconds,
    })),
  );
}

/** Those that did something, busiest first, no more than a report shows. */
export function busiest(shares: readonly NeighbourShare[]): NeighbourShare[] {
  return shares
    .filter(({ computeMsPerSecond }) => computeMsPerSecond > 0)
    .toSorted((a, b) => b.computeMsPerSecond - a.computeMsPerSecond)
    .slice(0, SHOWN);
}
