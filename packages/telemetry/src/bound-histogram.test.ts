import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BoundHistogram } from "./index.ts";

describe("BoundHistogram", () => {
  it("counts exactly how many values lie at or below each bound", () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ noNaN: true, min: -10, max: 10 }), { maxLength: 8 }),
        fc.array(fc.double({ noNaN: true, min: -20, max: 20 }), { maxLength: 50 }),
        (bounds, values) => {
          const histogram = new BoundHistogram(bounds);
          for (const value of values) histogram.record(value);
          const wanted = histogram.bounds.map((bound) => values.filter((value) => value <= bound).length);
          expect(histogram.cumulative()).toEqual([...wanted, values.length]);
        },
      ),
    );
  });

  it("sorts its bounds and drops doubles and what is no number", () => {
    expect(new BoundHistogram([5, 1, 5, Number.NaN, Number.POSITIVE_INFINITY]).bounds).toEqual([1, 5]);
  });

  it("sums what it was told", () => {
    const histogram = new BoundHistogram([1]);
    histogram.record(0.5);
    histogram.record(2);
    expect(histogram.sum).toBe(2.5);
  });
});
