import type { ModelTotals } from "../history/history-reader.ts";
import { computeNs } from "./build-window.ts";
import type { NeighbourShare } from "./stats-window.ts";

const SHOWN = 5;
const NS_PER_MS = 1e6;

export interface NeighbourQuestion {
  /** The model whose neighbours are wanted. */
  readonly model: string;
  /** Length of the window. */
  readonly seconds: number;
}

/** How busy the other models of a node were: those that did something, busiest first, no more than a report shows. */
export function neighboursIn(totals: readonly ModelTotals[], { model, seconds }: NeighbourQuestion): NeighbourShare[] {
  return totals
    .filter((one) => one.model !== model)
    .map((one) => ({
      model: one.model,
      computeMsPerSecond: computeNs(one.sums) / NS_PER_MS / Math.max(1, seconds),
    }))
    .filter(({ computeMsPerSecond }) => computeMsPerSecond > 0)
    .sort((a, b) => b.computeMsPerSecond - a.computeMsPerSecond)
    .slice(0, SHOWN);
}
