import fc from "fast-check";
import { expect, it } from "vitest";
import { formatChange, smallestChange } from "./format-text.ts";

it("replaces only what lies between the common ends", () => {
  expect(smallestChange("a: 1\nb: 2\n", "a: 1\nb: 3\n")).toEqual({ from: 8, to: 9, insert: "3" });
  expect(smallestChange("aa", "aaa")).toEqual({ from: 2, to: 2, insert: "a" });
  expect(smallestChange("same", "same")).toBeNull();
});

it("leads from the one text to the other", () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (before, after) => {
      const change = smallestChange(before, after);
      const result = change === null ? before : before.slice(0, change.from) + change.insert + before.slice(change.to);
      expect(result).toBe(after);
    }),
  );
});

it("lays out what can be read, keeps comments, and leaves the rest alone", () => {
  const change = formatChange("input{dims:1 # one\n}");
  expect(change).not.toBeNull();
  expect(formatChange("input {")).toBeNull();
  expect(formatChange("max_batch_size: 8 # items\n")).toBeNull();
});
