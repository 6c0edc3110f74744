import { expect, it } from "vitest";
import { PLOT, pointAt } from "./brush-place.ts";

const width = 1_000 + PLOT.left + PLOT.right;
const place = { width, from: 100, to: 200, times: [100, 120, 140, 160, 180, 200] };

it.each([
  [0, 100],
  [PLOT.left, 100],
  [PLOT.left + 500, 140],
  [PLOT.left + 510, 160],
  [PLOT.left + 1_000, 200],
  [width + 300, 200],
])("at %s px it is the point of %s", (x, t) => expect(pointAt({ ...place, x })).toBe(t));

it("a chart without points or without room has none", () => {
  expect(pointAt({ ...place, times: [], x: 100 })).toBeUndefined();
  expect(pointAt({ ...place, width: 50, x: 10 })).toBeUndefined();
});
