import { expect, it } from "vitest";
import { rowGaps, withKept } from "./row-gaps.ts";

it("what is not drawn leaves its space: above, between and below", () => {
  const rows = [
    { index: 2, start: 100, end: 150 },
    { index: 10, start: 500, end: 550 },
    { index: 11, start: 550, end: 600 },
  ];
  expect(rowGaps(rows, 1_000)).toEqual({
    rows: [
      { index: 2, gap: 100 },
      { index: 10, gap: 350 },
      { index: 11, gap: 0 },
    ],
    after: 400,
  });
  expect(rowGaps([], 300)).toEqual({ rows: [], after: 300 });
});

it("the row that has the focus is drawn, unless it is gone", () => {
  expect(withKept([10, 11], 2, 200)).toEqual([2, 10, 11]);
  expect(withKept([10, 11], 11, 200)).toEqual([10, 11]);
  expect(withKept([10, 11], 150, 100)).toEqual([10, 11]);
  expect(withKept([10, 11], null, 100)).toEqual([10, 11]);
});
