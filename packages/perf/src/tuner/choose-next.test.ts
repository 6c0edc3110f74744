import { describe, expect, it } from "vitest";
import { chooseNext } from "./choose-next.ts";
import { utilityOf } from "./compare-figures.ts";
import { correctSimulated } from "./correct-simulated.ts";
import { responseSurface } from "./testing/response-surface.ts";
import { DEFAULT_SEARCH, type SearchOptions } from "./tuning-state.ts";
import type { TuningFigures, TuningMode } from "./tuning-types.ts";

const WANTED = { objectives: [{ metric: "goodput", weight: 1 }], constraints: [] } as const;

/** Tunes a made-up model; answers the part of the best goodput that was found, and the part of the space that was measured. */
function tune(seed: number, mode: TuningMode, options: Partial<SearchOptions> = {}) {
  const surface = responseSurface(seed);
  const { space, goodWithinMs } = surface;
  const simulated = new Map(
    mode === "simulated" ? space.points.map((point) => [point.id, surface.simulate(point)] as const) : [],
  );
  const measured = new Map<string, TuningFigures>();
  const budget = mode === "simulated" ? Math.floor(space.points.length * 0.2) : Number.POSITIVE_INFINITY;
  for (;;) {
    const step = chooseNext({
      mode,
      wanted: WANTED,
      space,
      measured,
      skipped: new Set(),
      expected: correctSimulated({
        points: mode === "simulated" ? space.points : [],
        simulated,
        measured,
        goodWithinMs,
      }),
      left: budget - measured.size,
      options: { ...DEFAULT_SEARCH, ...options },
      seed,
    });
    if (step.kind === "end") break;
    measured.set(step.point.id, surface.measure(step.point));
  }
  const best = Math.max(...space.points.map((point) => surface.truth(point).goodput));
  const [pick] = [...measured].toSorted(([, a], [, b]) => utilityOf(b, WANTED) - utilityOf(a, WANTED));
  const point = space.points.find(({ id }) => id === pick?.[0]);
  return {
    found: point === undefined ? 0 : surface.truth(point).goodput / best,
    measured: measured.size / space.points.length,
  };
}

const SEEDS = Array.from({ length: 100 }, (_, index) => index + 1);

describe("chooseNext()", () => {
  it("finds within a tenth of the optimum with a quarter of the measurements, where the simulator is somewhat wrong", () => {
    const tuned = SEEDS.map((seed) => tune(seed, "simulated"));
    expect(Math.max(...tuned.map(({ measured }) => measured))).toBeLessThanOrEqual(0.25);
    expect(tuned.filter(({ found }) => found >= 0.9).length).toBeGreaterThanOrEqual(95);
  });

  it("measures everything by brute force", () => {
    expect(tune(1, "brute").measured).toBe(1);
    const early = SEEDS.slice(0, 10).map((seed) => tune(seed, "brute", { earlyExit: true }).measured);
    expect(Math.min(...early)).toBeLessThan(1);
  });

  it("optimises within five to ten percent of the space, and climbs without trying all of it", () => {
    for (const seed of SEEDS.slice(0, 20)) {
      const optimised = tune(seed, "optimiser");
      expect(optimised.measured).toBeGreaterThanOrEqual(0.05);
      expect(optimised.measured).toBeLessThanOrEqual(0.11);
      const climbed = tune(seed, "quick");
      expect(climbed.measured).toBeLessThan(0.6);
      expect(climbed.found).toBeGreaterThan(0.3);
    }
  });
});
