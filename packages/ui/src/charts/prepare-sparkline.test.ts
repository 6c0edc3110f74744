import { expect, it } from "vitest";
import { prepareSparkline } from "./prepare-sparkline.ts";

const size = { width: 30, height: 10 };

it.each([
  [[], ""],
  [[0, 0, 0], ""],
  [[0, 5, 10, 10], "M0.0 10.0L10.0 5.0L20.0 0.0L30.0 0.0"],
  [[10, null, 10, 5], "M0.0 0.0h0M20.0 0.0L30.0 5.0"],
])("%j", (values, path) => {
  expect(prepareSparkline(values, size)).toBe(path);
});
