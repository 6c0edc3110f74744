import { describe, expect, it } from "vitest";
import { ServiceEstimator } from "./service-estimator.ts";

function learnt(executions: readonly (readonly [cost: number, ns: number])[]): ServiceEstimator {
  const estimator = new ServiceEstimator();
  for (const [cost, ns] of executions) estimator.observe(cost, ns);
  return estimator;
}

describe("ServiceEstimator", () => {
  it("says nothing while nothing is known, and learns nothing from what failed", () => {
    const estimator = learnt([
      [1, Number.NaN],
      [Number.NaN, 5],
    ]);
    expect(estimator.executionNs(1)).toBeUndefined();
    expect(estimator.workNs(1)).toBeUndefined();
  });

  it("predicts in proportion while all executions cost the same", () => {
    const estimator = learnt([
      [8, 4000],
      [8, 4000],
    ]);
    expect(estimator.executionNs(8)).toBeCloseTo(4000);
    expect(estimator.executionNs(1)).toBeCloseTo(500);
    expect(estimator.workNs(80)).toBeCloseTo(40_000);
  });

  it("tells what an execution takes anyway from what grows with the cost", () => {
    const estimator = learnt(Array.from({ length: 200 }, (_, n) => [1 + (n % 8), 1000 + 100 * (1 + (n % 8))] as const));
    expect(estimator.executionNs(1)).toBeCloseTo(1100);
    expect(estimator.executionNs(8)).toBeCloseTo(1800);
    expect(estimator.executionNs(32)).toBeCloseTo(4200);
  });

  it("follows a model that has become faster", () => {
    const estimator = learnt([[1, 1e9], ...Array.from({ length: 50 }, () => [1, 1e6] as const)]);
    expect(estimator.executionNs(1)).toBeLessThan(1.1e6);
  });

  it("believes less in a long execution the more was refused because of it", () => {
    const estimator = learnt([[1, 1e9]]);
    for (let n = 0; n < 300; n++) estimator.doubt();
    expect(estimator.executionNs(1)).toBeLessThan(1e7);
  });

  it("never predicts less than nothing, nor a shorter time for a larger cost", () => {
    const estimator = learnt([
      [1, 900],
      [2, 100],
      [100, 50],
    ]);
    const times = [0, 1, 10, 1000].map((cost) => estimator.executionNs(cost) ?? -1);
    expect(times.every((ns) => ns >= 0)).toBe(true);
    expect(times).toEqual([...times].sort((a, b) => a - b));
  });
});
