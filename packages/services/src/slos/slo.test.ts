import { bucketIndex } from "@nereid/telemetry";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { NO_SUMS } from "../history/series-sums.ts";
import { budgetLeft, burnRate, burnRules, ruleHolds } from "./burn-rate.ts";
import { countWithin, keptOf } from "./good-requests.ts";
import { sloInput } from "./slo-input.ts";

const MS = 1e6;
const latencyOf = (...ms: number[]) => {
  const counts = new Map<number, number>();
  for (const one of ms) counts.set(bucketIndex(one * MS), (counts.get(bucketIndex(one * MS)) ?? 0) + 1);
  return [...counts].sort(([a], [b]) => a - b);
};

describe("good requests", () => {
  it("are those that succeeded, and soon enough where that is promised", () => {
    const sums = { ...NO_SUMS, success: 4, failure: 1, latency: latencyOf(1, 2, 50, 90) };
    expect(keptOf(sums, null)).toEqual({ good: 4, all: 5 });
    expect(keptOf(sums, 10)).toEqual({ good: 2, all: 5 });
    expect(keptOf(sums, 1000)).toEqual({ good: 4, all: 5 });
  });

  it("cannot be told of a node without histograms, except by success", () => {
    const sums = { ...NO_SUMS, success: 4, failure: 1 };
    expect(keptOf(sums, 10)).toBeNull();
    expect(keptOf(sums, null)).toEqual({ good: 4, all: 5 });
    expect(keptOf(NO_SUMS, 10)).toEqual({ good: 0, all: 0 });
  });

  it("counts no more with a tighter limit, and never more than there are", () => {
    const durations = fc.array(fc.double({ min: 0.001, max: 1e5, noNaN: true }), { maxLength: 50 });
    const limit = fc.double({ min: 0.001, max: 1e5, noNaN: true });
    fc.assert(
      fc.property(durations, limit, limit, (all, a, b) => {
        const latency = latencyOf(...all);
        const [low, high] = [Math.min(a, b), Math.max(a, b)];
        expect(countWithin(latency, low)).toBeLessThanOrEqual(countWithin(latency, high) + 1e-9);
        expect(countWithin(latency, high)).toBeLessThanOrEqual(all.length);
        // Off by what a bucket is wide: a thirty-second.
        expect(countWithin(latency, high)).toBeLessThanOrEqual(all.filter((one) => one <= high * 1.04).length + 1e-9);
      }),
    );
  });
});

describe("the error budget", () => {
  it("is used once over when the objective is just met, and is overdrawn when it is missed", () => {
    expect(burnRate({ good: 990, all: 1000 }, 0.99)).toBeCloseTo(1);
    expect(burnRate({ good: 856, all: 1000 }, 0.99)).toBeCloseTo(14.4);
    expect(burnRate({ good: 0, all: 0 }, 0.99)).toBe(0);
    expect(budgetLeft({ good: 1000, all: 1000 }, 0.99)).toBe(1);
    expect(budgetLeft({ good: 995, all: 1000 }, 0.99)).toBeCloseTo(0.5);
    expect(budgetLeft({ good: 980, all: 1000 }, 0.99)).toBeCloseTo(-1);
    expect(budgetLeft({ good: 0, all: 0 }, 0.99)).toBeNull();
  });

  const fast = burnRules(30)[0];
  if (fast === undefined) throw new Error("no rule");
  const bad = { good: 80, all: 100 };
  const fine = { good: 100, all: 100 };

  it("raises an alert only while it goes on, and only with enough requests", () => {
    const hold = (long: typeof bad, short: typeof bad) =>
      ruleHolds(fast, { long, short, objective: 0.99, open: false });
    expect(hold(bad, bad)).toBe(true);
    expect(hold(bad, fine)).toBe(false);
    expect(hold(fine, bad)).toBe(false);
    expect(hold({ good: 1, all: 5 }, { good: 1, all: 5 })).toBe(false);
  });

  it("keeps an open alert open a little below the bar, so that it does not flap", () => {
    const below = { good: 1000 - 130, all: 1000 };
    expect(ruleHolds(fast, { long: below, short: below, objective: 0.99, open: false })).toBe(false);
    expect(ruleHolds(fast, { long: below, short: below, objective: 0.99, open: true })).toBe(true);
  });

  it("means the same share of the budget in a shorter window, and never less than using it up", () => {
    expect(burnRules(30).map(({ rate }) => rate)).toEqual([14.4, 6, 1]);
    expect(burnRules(7).map(({ rate }) => rate)[0]).toBeCloseTo(3.36);
    expect(Math.min(...burnRules(1).map(({ rate }) => rate))).toBe(1);
  });
});

it("a name has no control characters, which a database may refuse and a terminal obey", () => {
  const named = (name: string) => sloInput.safeParse({ name, model: "m", latencyMs: 5, objective: 0.9, windowDays: 1 });
  expect(named("p99 für Kunden, 客户").success).toBe(true);
  expect(named("\u0000\u001b[31m").success).toBe(false);
  expect(named(" ").success).toBe(false);
});
