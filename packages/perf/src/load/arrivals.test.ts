import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ArrivalPlan, type ArrivalShare, arrivalTimes, offeredPerSecond } from "./arrivals.ts";

const rate = fc.double({ min: 0.5, max: 20_000, noNaN: true });
const gaps = fc.array(fc.nat(50_000), { minLength: 1, maxLength: 20 }).filter((all) => all.some((gap) => gap > 0));
const plans: fc.Arbitrary<ArrivalPlan> = fc.oneof(
  rate.map((perSecond) => ({ kind: "constant" as const, perSecond })),
  fc.record({ kind: fc.constant("poisson" as const), perSecond: rate, seed: fc.nat() }),
  fc.record({ kind: fc.constant("bursts" as const), perSecond: rate, size: fc.integer({ min: 1, max: 50 }) }),
  gaps.map((gapsUs) => ({ kind: "intervals" as const, gapsUs })),
);

function first(plan: ArrivalPlan, count: number, share?: ArrivalShare): number[] {
  const times: number[] = [];
  for (const time of arrivalTimes(plan, share)) if (times.push(time) === count) break;
  return times;
}

describe("arrivalTimes()", () => {
  it("never goes back, and is the same each time", () => {
    fc.assert(
      fc.property(plans, (plan) => {
        const times = first(plan, 200);
        expect(times.every((time, at) => time >= (times[at - 1] ?? 0))).toBe(true);
        expect(first(plan, 200)).toEqual(times);
      }),
    );
  });

  it("loses and doubles nothing when processes share it", () => {
    fc.assert(
      fc.property(plans, fc.integer({ min: 1, max: 5 }), (plan, of) => {
        const shares = Array.from({ length: of }, (_, index) => first(plan, 20, { index, of }));
        expect(shares.flat().toSorted((a, b) => a - b)).toEqual(first(plan, 20 * of));
      }),
    );
  });

  it("keeps the rate it was asked for", () => {
    fc.assert(
      fc.property(plans, (plan) => {
        const count = 5000;
        const lastMs = first(plan, count).at(-1) ?? 0;
        const measured = (count * 1000) / lastMs;
        expect(measured / offeredPerSecond(plan)).toBeGreaterThan(0.9);
        expect(measured / offeredPerSecond(plan)).toBeLessThan(1.1);
      }),
      { numRuns: 50 },
    );
  });

  it("is as said in small", () => {
    expect(first({ kind: "constant", perSecond: 100 }, 3)).toEqual([0, 10, 20]);
    expect(first({ kind: "bursts", perSecond: 100, size: 3 }, 5)).toEqual([0, 0, 0, 30, 30]);
    expect(first({ kind: "intervals", gapsUs: [1000, 3000] }, 4)).toEqual([1, 4, 5, 8]);
    expect([...arrivalTimes({ kind: "recorded", offsetsMs: [0, 5, 5] })]).toEqual([0, 5, 5]);
    expect(offeredPerSecond({ kind: "recorded", offsetsMs: [0, 500, 1000] })).toBe(2);
  });
});
