import { expect, it } from "vitest";
import { plainText } from "./plain-text.ts";

it("a model's words reached the terminal as commands", () => {
  expect(plainText("\u001b]0;title\u0007\u001b[2J\rgone \u009b31m")).toBe(
    "\\u001b]0;title\\u0007\\u001b[2J\\u000dgone \\u009b31m",
  );
  expect(plainText("a\u202eb\u2066c")).toBe("a\\u202eb\\u2066c");
});

it("lines, tabs and letters of all scripts stay", () => {
  expect(plainText("a\tb\nc é 文 \u{1f600}")).toBe("a\tb\nc é 文 \u{1f600}");
});
