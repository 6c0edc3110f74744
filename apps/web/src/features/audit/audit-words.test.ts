import { expect, it } from "vitest";
import { actionText, changeText } from "./audit-words.ts";

it.each([
  [{ "1": "UNAVAILABLE" }, { "1": "READY" }, "1: UNAVAILABLE → READY"],
  [{ "1": "READY" }, { "1": "READY" }, ""],
  [null, { email: "a@b.org", role: "admin" }, "email: a@b.org, role: admin"],
  [{ "1": "READY" }, { error: "no such file", code: "INTERNAL" }, "no such file"],
  [null, null, ""],
])("%j to %j reads %j", (before, after, text) => {
  expect(changeText(before, after)).toBe(text);
});

it("names actions", () => {
  expect([actionText("model.load"), actionText("comet.pause")]).toEqual(["Loaded model", "comet.pause"]);
});
