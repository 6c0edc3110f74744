import { utilityOf, type Wanted } from "./compare-figures.ts";
import type { Expected } from "./correct-simulated.ts";
import type { SearchSpace, SpacePoint } from "./search-space.ts";
import type { TuningFigures, TuningMode, TuningResult } from "./tuning-types.ts";

/** All that the decision looks at what to measure next. */
export interface TuningState {
  readonly mode: TuningMode;
  readonly wanted: Wanted;
  readonly space: SearchSpace;
  /** By id of the point, in the order they were measured. */
  readonly measured: ReadonlyMap<string, TuningFigures>;
  /** Points that cannot be measured. */
  readonly skipped: ReadonlySet<string>;
  /** Empty in modes that do not simulate. */
  readonly expected: ReadonlyMap<string, Expected>;
  /** Measurements that may still be made; Infinity = as many as the mode wants. */
  readonly left: number;
  readonly options: SearchOptions;
  readonly seed: number;
}

export interface SearchOptions {
  /** Ends the loads of a configuration, and larger batches, where throughput no longer rises (Model Analyzer's automatic search). */
  readonly earlyExit: boolean;
  /** Configurations that are looked at more closely at the end. */
  readonly topConfigs: number;
  /** Most levels tried between one that keeps the limits and one that does not. */
  readonly binarySteps: number;
  /** Shares of the space an optimiser tries at least and at most. */
  readonly leastShare: number;
  readonly mostShare: number;
  /** Trials without a gain after which an optimiser ends. */
  readonly patience: number;
  /** Tries all loads on the best configurations at the end of a climb. */
  readonly sweep: boolean;
}

export const DEFAULT_SEARCH: SearchOptions = {
  earlyExit: false,
  topConfigs: 3,
  binarySteps: 5,
  leastShare: 0.05,
  mostShare: 0.1,
  patience: 10,
  sweep: true,
};

export type NextStep =
  | { readonly kind: "measure"; readonly point: SpacePoint; readonly why: string }
  | { readonly kind: "end"; readonly ended: TuningResult["ended"] };

/** How good a measured point is; undefined = not measured. */
export function measuredUtility({ measured, wanted }: TuningState, id: string): number | undefined {
  const figures = measured.get(id);
  return figures === undefined ? undefined : utilityOf(figures, wanted);
}

/** The best of the measured points; undefined without any. Pure. */
export function bestMeasured(state: TuningState): { readonly id: string; readonly utility: number } | undefined {
  let best: { id: string; utility: number } | undefined;
  for (const [id, figures] of state.measured) {
    const utility = utilityOf(figures, state.wanted);
    if (best === undefined || utility > best.utility) best = { id, utility };
  }
  return best;
}

/** Points that could be measured and were not. */
export function openPoints({ space, measured, skipped }: TuningState): SpacePoint[] {
  return space.points.filter(({ id }) => !measured.has(id) && !skipped.has(id));
}
