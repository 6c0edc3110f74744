import { expect, it } from "vitest";
import { stolenTimeMeter } from "./stolen-time.ts";

it("tells the share that others took since it was asked last, and nothing where nobody tells", () => {
  const stats = [
    "cpu  10 0 10 80 0 0 0 0 5 0\ncpu0 1",
    "cpu  20 0 20 90 0 0 0 10 5 0",
    "cpu  20 0 20 190 0 0 0 10 5 0",
  ];
  const share = stolenTimeMeter(() => stats.shift() ?? "");
  expect(share()).toBeCloseTo(10 / 40);
  expect(share()).toBe(0);
  const silent = stolenTimeMeter(() => "");
  expect(silent()).toBe(0);
});
