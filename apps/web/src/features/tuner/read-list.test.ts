import { expect, it } from "vitest";
import { readList, readListOr } from "./read-list.ts";

const bounds = { least: 1, largest: 64 };

it.each([
  ["1, 2, 4", [1, 2, 4]],
  ["4 2 4", [2, 4]],
  ["1-16", [1, 2, 4, 8, 16]],
  ["3-20", [3, 6, 12]],
  ["", null],
  ["0", null],
  ["65", null],
  ["8-2", null],
  ["two", null],
  ["1.5", null],
  ["1-99999999999", null],
])("the list %j is %j", (text, list) => {
  expect(readList(text, bounds)).toEqual(list);
});

it("refuses more values than there may be", () => {
  expect(readList("1 2 3 4", { ...bounds, most: 3 })).toBeNull();
});

it.each([
  ["–, 1, 2", [null, 1, 2]],
  ["-", [null]],
  ["2", [2]],
  ["", null],
  ["–, x", null],
])("with what the model has, %j is %j", (text, list) => {
  expect(readListOr(text, bounds)).toEqual(list);
});
