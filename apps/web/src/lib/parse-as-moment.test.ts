import { expect, it } from "vitest";
import { parseAsMoment } from "./parse-as-moment.ts";

it.each([
  ["1700000000", 1_700_000_000],
  ["1700000000.25", 1_700_000_000.25],
  ["0", 0],
  ["1e20", null],
  ["-1", null],
  ["Infinity", null],
  ["", null],
  ["soon", null],
])("%s is %s (an address with 1e20 broke the page)", (text, moment) => {
  expect(parseAsMoment.parse(text)).toBe(moment);
});
