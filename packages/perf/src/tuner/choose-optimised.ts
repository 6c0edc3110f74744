import { seededRandom } from "../load/seeded-random.ts";
import { gaussianProcess } from "./gaussian-process.ts";
import { placeOf } from "./point-place.ts";
import type { SpacePoint } from "./search-space.ts";
import { bestMeasured, measuredUtility, type NextStep, openPoints, type TuningState } from "./tuning-state.ts";

/** Trials at random places before any conclusion is drawn. */
const AT_RANDOM = 5;
/** Worse than this below the best tells no more. */
const FLOOR = 2;

/**
 * Where an improvement is most to be expected by a Gaussian process through what was measured (Jones, Schonlau and Welch 1998), within the
 * shares of the space that Model Analyzer's Optuna search tries. Pure.
 */
export function chooseOptimised(state: TuningState): NextStep {
  const { measured, space, options, seed } = state;
  const open = openPoints(state);
  if (open.length === 0) return { kind: "end", ended: "complete" };
  const least = Math.max(AT_RANDOM, Math.ceil(options.leastShare * space.points.length));
  const most = Math.max(least, Math.ceil(options.mostShare * space.points.length));
  if (measured.size >= most) return { kind: "end", ended: "budget" };
  if (measured.size >= least && trialsWithoutGain(state) >= options.patience)
    return { kind: "end", ended: "no-better-expected" };
  const random = seededRandom(seed + measured.size);
  const any = open[Math.floor(random() * open.length)];
  const best = bestMeasured(state);
  if (measured.size < AT_RANDOM || best === undefined)
    return any === undefined ? { kind: "end", ended: "complete" } : { kind: "measure", point: any, why: "at random" };
  return { kind: "measure", point: mostPromising(open, state), why: "most improvement expected" };
}

function mostPromising(open: readonly SpacePoint[], state: TuningState): SpacePoint {
  const best = bestMeasured(state)?.utility ?? 0;
  const seen = state.space.points.flatMap((point) => {
    const utility = measuredUtility(state, point.id);
    return utility === undefined ? [] : [{ at: placeOf(point), value: Math.max(utility, best - FLOOR) }];
  });
  const mean = seen.reduce((sum, { value }) => sum + value, 0) / Math.max(1, seen.length);
  const spread = Math.max(
    0.2,
    Math.sqrt(seen.reduce((sum, { value }) => sum + (value - mean) ** 2, 0) / Math.max(1, seen.length)),
  );
  const guess = gaussianProcess(
    seen.map(({ at, value }) => ({ at, value: value - mean })),
    { deviation: spread, noise: 0.05, shared: 0 },
  );
  let [top, most] = [open[0], Number.NEGATIVE_INFINITY];
  for (const point of open) {
    const { mean: at, deviation } = guess(placeOf(point));
    const gain = expectedGain(at + mean - best, deviation);
    if (gain > most) [top, most] = [point, gain];
  }
  if (top === undefined) throw new Error("there is no open point");
  return top;
}

/** Mean of the positive part of a normal distribution. */
function expectedGain(mean: number, deviation: number): number {
  if (deviation < 1e-9) return Math.max(0, mean);
  const z = mean / deviation;
  const density = Math.exp(-(z * z) / 2) / Math.sqrt(2 * Math.PI);
  return mean * normalShare(z) + deviation * density;
}

/** The share of a normal distribution below z, to 1e-7 (Abramowitz and Stegun 26.2.17). */
function normalShare(z: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(z));
  const poly = t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  const tail = (Math.exp(-(z * z) / 2) / Math.sqrt(2 * Math.PI)) * poly;
  return z >= 0 ? 1 - tail : tail;
}

function trialsWithoutGain(state: TuningState): number {
  let [best, since] = [Number.NEGATIVE_INFINITY, 0];
  for (const id of state.measured.keys()) {
    const utility = measuredUtility(state, id) ?? Number.NEGATIVE_INFINITY;
    since = utility > best ? 0 : since + 1;
    best = Math.max(best, utility);
  }
  return since;
}
