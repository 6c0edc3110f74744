import { expect, it } from "vitest";
import { changeWords, countWords } from "./change-words.ts";

it("says what an apply does, with the fields", () => {
  expect(changeWords({ kind: "reload", fields: ["max_batch_size", "input[0].dims"] })).toContain(
    "max_batch_size, input[0].dims",
  );
  expect(changeWords({ kind: "in-place", fields: ["instance_group[0].count"] })).toContain("without a gap");
  expect(changeWords({ kind: "none", fields: [] })).toContain("Nothing");
  expect(changeWords({ kind: "not-loaded", fields: [] })).toContain("next load");
});

it("counts findings by severity", () => {
  expect(countWords([])).toBe("");
  expect(countWords([{ severity: "error" }, { severity: "warning" }, { severity: "error" }])).toBe(
    "2 errors, 1 warning",
  );
});
