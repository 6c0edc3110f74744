import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { latencyFigures, percentileOf } from "./latency-figures.ts";

const latencies = fc.array(fc.double({ min: 0, max: 1e7, noNaN: true }), { minLength: 1, maxLength: 300 });

describe("latency figures", () => {
  it.each([
    [[5], 99, 5],
    [[1, 2], 50, 2],
    [[1, 2, 3, 4], 50, 3],
    [[1, 2, 3, 4, 5], 50, 3],
    [Array.from({ length: 100 }, (_, at) => at + 1), 99, 99],
    [Array.from({ length: 101 }, (_, at) => at), 90, 90],
    [[], 50, 0],
  ])("of %j the percentile %d is %d", (values, p, expected) => {
    expect(percentileOf(values, p)).toBe(expected);
  });

  it("are values that were measured, in the order of the percentiles", () => {
    fc.assert(
      fc.property(latencies, fc.integer({ min: 1, max: 99 }), (values, more) => {
        const { percentilesUs, averageUs } = latencyFigures(Float64Array.from(values), [more]);
        const found = [...percentilesUs.values()];
        expect(found.every((value) => values.includes(value))).toBe(true);
        expect(found).toEqual(found.toSorted((a, b) => a - b));
        expect(percentilesUs.has(more)).toBe(true);
        expect(averageUs).toBeGreaterThanOrEqual(Math.min(...values) - 1e-3);
        expect(averageUs).toBeLessThanOrEqual(Math.max(...values) + 1e-3);
      }),
    );
  });

  it("have the deviation of a sample, and none of a single request", () => {
    expect(latencyFigures(Float64Array.of(2, 4, 4, 4, 5, 5, 7, 9)).deviationUs).toBeCloseTo(Math.sqrt(32 / 7));
    expect(latencyFigures(Float64Array.of(3)).deviationUs).toBeUndefined();
  });
});
