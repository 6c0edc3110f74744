import { expect, it } from "vitest";
import { movedCursor } from "./moved-cursor.ts";

const times = [10, 20, 30];

it.each([
  ["ArrowLeft", undefined, 30],
  ["ArrowRight", undefined, 30],
  ["ArrowLeft", 30, 20],
  ["ArrowLeft", 10, 10],
  ["ArrowRight", 20, 30],
  ["PageUp", 30, 10],
  ["PageDown", 10, 30],
  ["Home", 30, 10],
  ["End", undefined, 30],
  ["Escape", 20, null],
  ["Escape", undefined, undefined],
  ["a", 20, undefined],
] as const)("%s from %s goes to %s", (key, from, to) => {
  expect(movedCursor(times, from, key)).toBe(to);
});

it("goes nowhere on a chart without points", () => {
  for (const key of ["ArrowLeft", "Home", "End", "PageDown"]) expect(movedCursor([], undefined, key)).toBeUndefined();
});
