import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  bucketBoundsNs,
  bucketIndex,
  LatencyHistogram,
  mergeSparse,
  OVERFLOW_INDEX,
  quantileFromSparse,
} from "./index.ts";

const HOUR_NS = 3.6e12;
const duration = fc.oneof(fc.nat(5000), fc.double({ min: 0, max: 2 * HOUR_NS, noNaN: true }).map(Math.floor));

describe("bucket layout", () => {
  it("holds every duration in a bucket no wider than 3.2 %", () => {
    fc.assert(
      fc.property(duration, (ns) => {
        const { lower, upper } = bucketBoundsNs(bucketIndex(ns));
        expect(ns).toBeGreaterThanOrEqual(lower);
        expect(ns).toBeLessThan(upper);
        expect(upper - lower).toBeLessThanOrEqual(Math.max(1, lower * 0.032));
      }),
    );
  });

  it("has no gaps and no overlaps", () => {
    for (let index = 0; index < OVERFLOW_INDEX; index += 1) {
      const { lower, upper } = bucketBoundsNs(index);
      expect(bucketIndex(lower)).toBe(index);
      expect(bucketIndex(upper)).toBe(index + 1);
      expect(bucketIndex(upper - 1)).toBe(index);
    }
  });

  it.each([
    [Number.NaN, 0],
    [-5, 0],
    [0.5, 0],
    [Number.POSITIVE_INFINITY, OVERFLOW_INDEX],
    [2 ** 43, OVERFLOW_INDEX],
  ])("puts %d into bucket %d", (ns, index) => {
    expect(bucketIndex(ns)).toBe(index);
  });

  it.each([-1, 0.5, OVERFLOW_INDEX + 1])("refuses index %d", (index) => {
    expect(() => bucketBoundsNs(index)).toThrow(RangeError);
  });
});

describe("LatencyHistogram", () => {
  const filled = (values: readonly number[]) => {
    const histogram = new LatencyHistogram();
    for (const value of values) histogram.record(value);
    return histogram;
  };

  it("keeps count and sum exactly", () => {
    fc.assert(
      fc.property(fc.array(duration), (values) => {
        const histogram = filled(values);
        expect(histogram.count).toBe(values.length);
        expect(histogram.sum).toBe(values.reduce((a, b) => a + b, 0));
      }),
    );
  });

  it("answers quantiles within one bucket of the true one", () => {
    fc.assert(
      fc.property(fc.array(duration, { minLength: 1 }), fc.double({ min: 0, max: 1, noNaN: true }), (values, q) => {
        const sorted = values.toSorted((a, b) => a - b);
        const exact = sorted[Math.max(0, Math.ceil(q * sorted.length) - 1)] ?? 0;
        const { lower, upper } = bucketBoundsNs(bucketIndex(exact));
        const answer = filled(values).quantile(q) ?? Number.NaN;
        expect(answer).toBeGreaterThanOrEqual(lower);
        expect(answer).toBeLessThanOrEqual(upper);
      }),
    );
  });

  it("survives the sparse form", () => {
    fc.assert(
      fc.property(fc.array(duration), (values) => {
        const sparse = filled(values).toSparse();
        expect(LatencyHistogram.fromSparse(sparse).toSparse()).toEqual(sparse);
      }),
    );
  });

  it("merges and subtracts", () => {
    fc.assert(
      fc.property(fc.array(duration), fc.array(duration), (one, two) => {
        const histogram = filled(one);
        histogram.merge(filled(two));
        expect(histogram.toSparse()).toEqual(filled([...one, ...two]).toSparse());
        expect(mergeSparse([filled(one).toSparse(), filled(two).toSparse()])).toEqual(histogram.toSparse());
        histogram.subtract(filled(two));
        expect(histogram.toSparse()).toEqual(filled(one).toSparse());
      }),
    );
  });

  it("refuses to subtract what it does not hold", () => {
    const histogram = filled([100]);
    expect(() => histogram.subtract(filled([1000]))).toThrow(RangeError);
    expect(histogram.count).toBe(1);
  });

  it("has no quantile when empty, and none outside 0…1", () => {
    expect(new LatencyHistogram().quantile(0.5)).toBeUndefined();
    expect(() => quantileFromSparse([[1, 1]], 1.1)).toThrow(RangeError);
    expect(quantileFromSparse([[OVERFLOW_INDEX, 3]], 0.5)).toBe(2 ** 43);
  });

  it.each([[[[0, -1]]], [[[0, 0.5]]], [[[99_999, 1]]]] as [[number, number][]][])(
    "refuses the sparse form %j",
    (sparse) => {
      expect(() => LatencyHistogram.fromSparse(sparse)).toThrow(RangeError);
    },
  );
});
