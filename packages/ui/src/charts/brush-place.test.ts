import { expect, it } from "vitest";
import { PLOT, stepAt } from "./brush-place.ts";

const width = 1_000 + PLOT.left + PLOT.right;
const place = { width, from: 100, to: 200, origin: 180, step: 20 };

it.each([
  [0, 100],
  [PLOT.left, 100],
  [PLOT.left + 499, 140],
  [PLOT.left + 510, 160],
  [PLOT.left + 1_000, 200],
  [width + 300, 200],
])("at %s px it is the step of %s, also before the first one with data", (x, t) =>
  expect(stepAt({ ...place, x })).toBe(t),
);

it("a chart without room has none", () => {
  expect(stepAt({ ...place, width: 50, x: 10 })).toBeUndefined();
});
