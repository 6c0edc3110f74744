import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { seededRandom } from "../load/seeded-random.ts";
import type { ExperimentSide, ExperimentWindow } from "./experiment-types.ts";
import { judgeExperiment } from "./judge-experiment.ts";
import { pairedEffect } from "./paired-effect.ts";
import { windowOrder } from "./window-order.ts";

const windowOf = (pair: number, side: ExperimentSide, more: Partial<ExperimentWindow> = {}): ExperimentWindow => ({
  pair,
  side,
  throughput: 100,
  goodput: 100,
  p50: 5,
  p99: 10,
  requests: 1000,
  failed: 0,
  queueMs: 1,
  computeMs: 3,
  meanBatch: 2,
  warnings: [],
  ...more,
});

const question = { metric: "p99", leastEffect: 0.02 } as const;

/** Windows of both sides whose p99 is `a` and `b`, each pair with a drift of its own. */
function pairsOf(count: number, p99: (side: ExperimentSide, pair: number) => number): ExperimentWindow[] {
  return windowOrder(count).map(({ pair, side }) => windowOf(pair, side, { p99: p99(side, pair) }));
}

it("windowOrder() takes turns, and both sides are first equally often", () => {
  expect(windowOrder(4).map(({ side }) => side)).toEqual(["a", "b", "b", "a", "a", "b", "b", "a"]);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 50 }), (pairs) => {
      const order = windowOrder(pairs);
      expect(order).toHaveLength(2 * pairs);
      for (let pair = 0; pair < pairs; pair += 1) {
        expect(new Set(order.filter((one) => one.pair === pair).map(({ side }) => side))).toEqual(new Set(["a", "b"]));
      }
    }),
  );
});

describe("pairedEffect()", () => {
  it("is what a textbook says", () => {
    // Differences 1, 2, 3 of a mean of 10: mean 2, deviation 1, t = 4.303.
    const values = [11, 12, 13];
    const effect = pairedEffect(
      pairsOf(3, (side, pair) => (side === "a" ? 10 : (values[pair] ?? 0))),
      "p99",
    );
    expect(effect.change).toBeCloseTo(0.2);
    expect(effect.low).toBeCloseTo(0.2 - (0.1 * 4.303) / Math.sqrt(3));
    expect(effect.high).toBeCloseTo(0.2 + (0.1 * 4.303) / Math.sqrt(3));
  });

  it("says nothing of one pair, and leaves halves out", () => {
    expect(
      pairedEffect(
        pairsOf(1, () => 10),
        "p99",
      ).low,
    ).toBeLessThan(-1e6);
    const windows = [...pairsOf(2, () => 10), windowOf(2, "a", { p99: 1000 })];
    expect(pairedEffect(windows, "p99")).toMatchObject({ a: 10, b: 10, change: 0 });
  });

  it("does not mind a drift that both windows of a pair have", () => {
    const drifting = pairsOf(6, (side, pair) => (side === "a" ? 10 : 12) + 20 * pair);
    const { low, high, change } = pairedEffect(drifting, "p99");
    expect(high - low).toBeCloseTo(0);
    expect(change).toBeCloseTo(2 / 60);
  });

  it("holds the true difference in about 95 of 100 experiments", () => {
    const random = seededRandom(7);
    const noise = () => random() + random() + random() - 1.5;
    const runs = 2000;
    let held = 0;
    for (let run = 0; run < runs; run += 1) {
      const windows = pairsOf(6, (side) => (side === "a" ? 10 : 11) + noise());
      const { low, high, a } = pairedEffect(windows, "p99");
      if (low * a <= 1 && 1 <= high * a) held += 1;
    }
    expect(held / runs).toBeGreaterThan(0.93);
    expect(held / runs).toBeLessThan(0.97);
  });
});

describe("judgeExperiment()", () => {
  const noisy = (b: number) => pairsOf(8, (side, pair) => (side === "a" ? 10 : b) * (1 + 0.01 * (pair % 3)));

  it.each([
    [8, "better"],
    [12, "worse"],
    [10, "same"],
  ] as const)("a p99 of %d instead of 10 ms is %s", (b, verdict) => {
    const judged = judgeExperiment(question, noisy(b));
    expect(judged.verdict).toBe(verdict);
    expect(judged.effects.map(({ metric }) => metric)).toEqual(["p99", "throughput", "goodput", "p50"]);
  });

  it("is undecided where chance is as large as the difference", () => {
    const windows = pairsOf(4, (side, pair) => (side === "a" ? 10 : 10 + (pair % 2 === 0 ? 4 : -3)));
    const judged = judgeExperiment(question, windows);
    expect(judged.verdict).toBe("undecided");
    expect(judged.says).toContain("may be chance");
  });

  it("takes a change that makes requests fail for worse, however quick it is", () => {
    const windows = noisy(5).map((one) => (one.side === "b" ? { ...one, failed: 0.01 } : one));
    const judged = judgeExperiment(question, windows);
    expect(judged.verdict).toBe("worse");
    expect(judged.says).toContain("1 % more of the requests fail");
  });
});
