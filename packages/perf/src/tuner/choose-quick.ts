import { seededRandom } from "../load/seeded-random.ts";
import { bestConfigs, refine } from "./choose-brute.ts";
import { compareFigures } from "./compare-figures.ts";
import type { SpacePoint } from "./search-space.ts";
import type { NextStep, TuningState } from "./tuning-state.ts";
import type { TuningFigures } from "./tuning-types.ts";

/** A place on the grid: number of the instance count and of the batch size in their lists. */
type Place = readonly [instances: number, batch: number];

const RADIUS = 3;
const LEAST_AROUND = 3;
/** How many steps a part of the way stands for, by its size (Model Analyzer's translation list). */
const STEPS = [0.09, 0.3, 1.0] as const;
const MOST_STEPS = 100;

interface Grid {
  readonly instances: readonly number[];
  readonly batches: readonly number[];
  pointAt(place: Place): SpacePoint | undefined;
}

/**
 * Model Analyzer's quick search: climbs over instances and batch sizes with two requests in flight for each place of a batch, then tries
 * all loads on the best configurations. What was measured is walked through again each time, so it goes on where it was. Pure.
 */
export function chooseQuick(state: TuningState): NextStep {
  const grid = gridOf(state);
  const climbing = climb(state, grid);
  if (climbing !== undefined) return { kind: "measure", point: climbing, why: "around the best so far" };
  for (const config of state.options.sweep ? bestConfigs(state) : []) {
    const open = state.space.points.find(
      ({ id, config: of }) => of.id === config.id && !state.measured.has(id) && !state.skipped.has(id),
    );
    if (open !== undefined) return { kind: "measure", point: open, why: "all loads on the best configurations" };
  }
  return refine(state) ?? { kind: "end", ended: "no-better-expected" };
}

function climb(state: TuningState, grid: Grid): SpacePoint | undefined {
  const random = seededRandom(state.seed);
  const figuresAt = (place: Place) => state.measured.get(grid.pointAt(place)?.id ?? "");
  const isOpen = (place: Place) => {
    const point = grid.pointAt(place);
    return point !== undefined && !state.skipped.has(point.id);
  };
  const seen = new Set<string>();
  let home: Place = [0, 0];
  let best: { place: Place; figures: TuningFigures } | undefined;
  let slow = false;
  for (let step = 0; step < MOST_STEPS; step++) {
    const here = figuresAt(home);
    if (here === undefined) return isOpen(home) ? grid.pointAt(home) : undefined;
    const around = placesAround(home, grid, slow ? 1 : RADIUS).filter(isOpen);
    const known = around.filter((place) => figuresAt(place) !== undefined);
    if (known.length < Math.min(slow ? around.length : LEAST_AROUND, around.length)) {
      const unknown = around.filter((place) => figuresAt(place) === undefined);
      const next = unknown[Math.floor(random() * unknown.length)];
      return next === undefined ? undefined : grid.pointAt(next);
    }
    if (best === undefined || compareFigures(here, best.figures, state.wanted) > 0)
      best = { place: home, figures: here };
    else if (step > 0) {
      // A step back: from the best place on only its neighbours are tried.
      slow = true;
      home = best.place;
    }
    const from = home;
    const next = stepped(
      from,
      grid,
      around.flatMap((place) => {
        const figures = figuresAt(place);
        const at = figuresAt(from);
        return figures === undefined || at === undefined
          ? []
          : [{ place, gain: compareFigures(figures, at, state.wanted) }];
      }),
      slow,
    );
    if (String(next) === String(from) || seen.has(String(next))) return undefined;
    seen.add(String(from));
    home = next;
  }
  return undefined;
}

function stepped(
  from: Place,
  grid: Grid,
  around: readonly { readonly place: Place; readonly gain: number }[],
  slow: boolean,
): Place {
  const direction = [0, 1].map((axis) =>
    around.reduce((sum, { place, gain }) => {
      const away = [0, 1].map((one) => (place[one] ?? 0) - (from[one] ?? 0));
      const length = Math.hypot(...away) || 1;
      return sum + (gain * (away[axis] ?? 0)) / length;
    }, 0),
  );
  const [x = 0, y = 0] = direction.map((part) => Math.sign(part) * stepsFor(Math.abs(part), slow));
  const within = (value: number, list: readonly unknown[]) => Math.min(list.length - 1, Math.max(0, value));
  return [within(from[0] + x, grid.instances), within(from[1] + y, grid.batches)];
}

function stepsFor(part: number, slow: boolean): number {
  const steps = STEPS.filter((limit) => part >= limit).length;
  return slow ? Math.min(1, steps) : steps;
}

function placesAround(home: Place, grid: Grid, radius: number): Place[] {
  const places: Place[] = [];
  for (let x = 0; x < grid.instances.length; x++)
    for (let y = 0; y < grid.batches.length; y++) {
      const far = Math.hypot(x - home[0], y - home[1]);
      if (far > 0 && far <= radius) places.push([x, y]);
    }
  return places;
}

function gridOf({ space }: TuningState): Grid {
  const values = (of: (point: SpacePoint) => number) => [...new Set(space.points.map(of))].toSorted((a, b) => a - b);
  const instances = values(({ config }) => config.setting.instances);
  const batches = values(({ config }) => config.setting.maxBatchSize);
  const levels = values(({ level }) => level);
  return {
    instances,
    batches,
    pointAt: ([x, y]) => {
      const own = space.points.filter(
        ({ config: { setting } }) => setting.instances === instances[x] && setting.maxBatchSize === batches[y],
      );
      const wanted = 2 * Math.max(1, batches[y] ?? 1) * (instances[x] ?? 1);
      const level = levels.findLast((one) => one <= wanted) ?? levels[0];
      return own.find((point) => point.level === level) ?? own[0];
    },
  };
}
