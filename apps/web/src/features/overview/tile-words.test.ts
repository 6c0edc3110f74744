import { expect, it } from "vitest";
import { comparedTo } from "./tile-words.ts";

it.each([
  [{ now: 12, previous: 10 }, "20 % more than the 5 min before"],
  [{ now: 5, previous: 10 }, "50 % less than the 5 min before"],
  [{ now: 10.01, previous: 10 }, "as in the 5 min before"],
  [{ now: 200, previous: 10 }, "20 × the 5 min before"],
  [{ now: null, previous: 10 }, "was 10 in the 5 min before"],
  [{ now: 3, previous: null }, "nothing in the 5 min before"],
  [{ now: 3, previous: 0 }, "was 0 in the 5 min before"],
  [{ now: 0, previous: 0 }, "as before"],
])("%j", (figures, text) => {
  expect(comparedTo(figures, String, "5 min")).toBe(text);
});
