import { describe, expect, it } from "vitest";
import { largestDifference, median } from "./compare-model.mjs";

describe("largestDifference()", () => {
  it("is the largest, whichever side is above", () => {
    expect(largestDifference([1, 2, 3], [1, 2.5, 1])).toBe(2);
    expect(largestDifference([1], [1])).toBe(0);
  });

  it("is no number where nothing can be compared: that must not pass for equal", () => {
    expect(largestDifference([1, Number.NaN, 3], [1, 2, 3])).toBeNaN();
    expect(largestDifference([1], [1, 2])).toBeNaN();
    expect(largestDifference([], [])).toBeNaN();
  });
});

it("median() is the middle one", () => {
  expect(median([9, 1, 5])).toBe(5);
  expect(median([])).toBeNaN();
});
