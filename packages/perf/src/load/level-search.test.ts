import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bestLevel, type LevelOutcome, type LevelPlan, nextLevel } from "./level-search.ts";

/** All levels that are tried on a server that manages up to `limit`. */
function walk(plan: LevelPlan, limit: number): LevelOutcome[] {
  const outcomes: LevelOutcome[] = [];
  for (let level = nextLevel(plan, outcomes); level !== undefined; level = nextLevel(plan, outcomes)) {
    outcomes.push({ level, passed: level <= limit, keptUp: Math.min(1, limit / level) });
    if (outcomes.length > 500) throw new Error("the search does not end");
  }
  return outcomes;
}
const levels = (plan: LevelPlan, limit = Number.POSITIVE_INFINITY) => walk(plan, limit).map(({ level }) => level);

describe("nextLevel()", () => {
  it("goes from start to end, and ends where a level fails", () => {
    expect(levels({ kind: "linear", start: 1, end: 10, step: 3 })).toEqual([1, 4, 7, 10]);
    expect(levels({ kind: "linear", start: 1, end: 10, step: 3 }, 5)).toEqual([1, 4, 7]);
    expect(levels({ kind: "linear", start: 2, end: 0, step: 2 }, 7)).toEqual([2, 4, 6, 8]);
    expect(levels({ kind: "linear", start: 0.1, end: 0.3, step: 0.1 })).toHaveLength(3);
    expect(levels({ kind: "single", level: 8 })).toEqual([8]);
  });

  it("ramps up to the knee", () => {
    const ramp = { kind: "ramp", start: 100, end: 10_000, factor: 2 } as const;
    expect(levels(ramp, 500)).toEqual([100, 200, 400, 800]);
    expect(bestLevel(walk(ramp, 500))).toBe(400);
    expect(bestLevel(walk(ramp, 50))).toBeUndefined();
  });

  it("bisects only between a start that passes and an end that fails", () => {
    const plan = { kind: "binary", start: 1, end: 100, step: 1 } as const;
    expect(levels(plan, 0)).toEqual([1]);
    expect(levels(plan, 100)).toEqual([1, 100]);
    expect(levels(plan, 60).slice(0, 4)).toEqual([1, 100, 50, 75]);
  });

  it("finds the limit to a step, wherever it is", () => {
    const range = fc.record({
      start: fc.integer({ min: 1, max: 50 }),
      width: fc.integer({ min: 2, max: 5000 }),
      step: fc.integer({ min: 1, max: 20 }),
      share: fc.double({ min: 0, max: 0.999, noNaN: true }),
    });
    fc.assert(
      fc.property(range, ({ start, width, step, share }) => {
        const limit = start + Math.floor(share * width);
        const outcomes = walk({ kind: "binary", start, end: start + width, step }, limit);
        expect(outcomes.length).toBeLessThan(20);
        expect(limit - (bestLevel(outcomes) ?? Number.NaN)).toBeLessThanOrEqual(step);
      }),
    );
  });
});
