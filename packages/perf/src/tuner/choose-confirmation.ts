import { missedPercent, utilityOf, type Wanted } from "./compare-figures.ts";
import type { SpacePoint } from "./search-space.ts";
import type { TuningMeasurement } from "./tuning-types.ts";

/** Measurements of one point that are enough. */
const ENOUGH = 3;
/** What looks worse than the best by more than this, as a logarithm, is not the best in truth: two measurements of one point seldom differ so much. */
const CLOSE = 0.25;
/** Configurations among which it is decided. */
const MOST_RIVALS = 3;

/** Part of a budget that is kept for measuring again what looked best. */
export const CONFIRMING_SHARE = 0.3;

export interface Confirmable {
  readonly points: ReadonlyMap<string, SpacePoint>;
  readonly measured: ReadonlyMap<string, TuningMeasurement>;
  readonly wanted: Wanted;
  /** Points that could not be measured again. */
  readonly without: ReadonlySet<string>;
  /** The configuration that is loaded now; its turn costs no load. */
  readonly loaded: string | undefined;
}

/**
 * What to measure once more before one is picked: the best of many measurements is partly the luckiest, so that configurations whose best
 * points lie close are measured again in turns. Undefined when none is close, or all were measured often enough. Pure.
 */
export function chooseConfirmation({ points, measured, wanted, without, loaded }: Confirmable): SpacePoint | undefined {
  const ranked = [...measured]
    .flatMap(([id, figures]) => {
      const point = points.get(id);
      if (point === undefined || missedPercent(figures, wanted.constraints) > 0) return [];
      return [{ point, times: figures.times, utility: utilityOf(figures, wanted) }];
    })
    .toSorted((a, b) => b.utility - a.utility);
  const leaders = new Map<string, (typeof ranked)[number]>();
  for (const one of ranked) if (!leaders.has(one.point.config.id)) leaders.set(one.point.config.id, one);
  const [best] = ranked;
  const rivals = [...leaders.values()]
    .slice(0, MOST_RIVALS)
    .filter(({ utility }) => best !== undefined && utility >= best.utility - CLOSE);
  if (rivals.length < 2) return undefined;
  const isLoaded = ({ point }: (typeof ranked)[number]) => Number(point.config.id === loaded);
  const [next] = rivals
    .filter(({ point, times }) => times < ENOUGH && !without.has(point.id))
    .toSorted((a, b) => a.times - b.times || isLoaded(b) - isLoaded(a) || b.utility - a.utility);
  return next?.point;
}
