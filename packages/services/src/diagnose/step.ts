import type { StatsWindow } from "./stats-window.ts";
import type { Thresholds } from "./thresholds.ts";
import type { Finding, Verdict } from "./verdict.ts";

/** Where a branch leads: to another step, or to an end. */
export type Onward = { readonly to: string } | { readonly verdict: (window: StatsWindow, bars: Thresholds) => Verdict };

export interface Branch {
  /** What this answer means, in a few words. */
  readonly label: string;
  readonly onward: Onward;
}

/** A question of a tree. `decide` is pure; its answer names one of the branches. */
export interface Step {
  readonly id: string;
  readonly question: string;
  readonly decide: (window: StatsWindow, bars: Thresholds) => Finding;
  readonly branches: Readonly<Record<string, Branch>>;
}
