import { expect, it } from "vitest";
import { intervalPlace, metricText, reachOf, signedShare } from "./experiment-words.ts";

const effect = (low: number, change: number, high: number) => ({
  metric: "p99" as const,
  a: 1,
  b: 1,
  low,
  change,
  high,
});

it.each([
  [0.031, "+3.1 %"],
  [-0.5, "−50.0 %"],
  [0, "0.0 %"],
  [1.5, "+150 %"],
  [Number.MAX_VALUE, "unknown"],
])("%d is %s", (share, text) => {
  expect(signedShare(share)).toBe(text);
});

it("values in their units", () => {
  expect(metricText("p99", 12.345)).toBe("12.3 ms");
  expect(metricText("throughput", 1234.56)).toBe("1235 /s");
});

it("the axis holds every interval that has an end", () => {
  expect(reachOf([effect(-0.03, 0, 0.01)])).toBe(0.05);
  expect(reachOf([effect(-0.3, 0, 0.1)])).toBe(0.5);
  expect(reachOf([effect(-Number.MAX_VALUE, 0, Number.MAX_VALUE)])).toBe(0.05);
  expect(intervalPlace(effect(-0.05, 0, 0.05), 0.05)).toEqual({ left: 0, width: 100, middle: 50 });
  expect(intervalPlace(effect(-9, 1, 9), 0.5)).toEqual({ left: 0, width: 100, middle: 100 });
});
