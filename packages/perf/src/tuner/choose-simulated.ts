import { utilityOf } from "./compare-figures.ts";
import type { SpacePoint } from "./search-space.ts";
import { bestMeasured, type NextStep, openPoints, type TuningState } from "./tuning-state.ts";

/** A point must promise to be better by this part to be worth a measurement. */
const WORTH = 0.02;
/** Fewer measurements say too little of how wrong the simulator is: a part of the space, within bounds. */
const LEAST = { share: 0.2, least: 4, most: 20 };

/**
 * The most promising point by the simulator, corrected by what was measured: in turns by what is expected and by what may well be, so that
 * one that is expected to be best is seen soon, and one the simulator may underrate is not forgotten. Ends when none promises more than
 * the best that was measured. Pure.
 */
export function chooseSimulated(state: TuningState): NextStep {
  const { expected, wanted, measured } = state;
  const open = openPoints(state).filter(({ id }) => expected.has(id));
  const best = bestMeasured(state);
  const promise = (of: "figures" | "hopeful") => {
    let top: { point: SpacePoint; utility: number } | undefined;
    for (const point of open) {
      const figures = expected.get(point.id)?.[of];
      if (figures === undefined) continue;
      const utility = utilityOf(figures, wanted);
      if (top === undefined || utility > top.utility) top = { point, utility };
    }
    return top;
  };
  const hoped = promise("hopeful");
  const likely = promise("figures");
  if (hoped === undefined || likely === undefined) return { kind: "end", ended: "complete" };
  const isLikely = best !== undefined && likely.utility > best.utility + WORTH;
  if (best === undefined || isLikely) return { kind: "measure", point: likely.point, why: "expected to be the best" };
  const isHoped = hoped.utility > best.utility + WORTH;
  if (isHoped) return { kind: "measure", point: hoped.point, why: "may be better than it looks" };
  const least = Math.min(LEAST.most, Math.max(LEAST.least, Math.ceil(LEAST.share * state.space.points.length)));
  if (measured.size < least) return { kind: "measure", point: hoped.point, why: "to know how right the simulator is" };
  return { kind: "end", ended: "no-better-expected" };
}
