import { describe, expect, it } from "vitest";
import { readKey } from "./key-sequence.ts";

const SHORTCUTS = ["?", "g m", "g o"];

function type(...keys: string[]): string[] {
  const run: string[] = [];
  let pending = "";
  for (const key of keys) {
    const step = readKey(pending, key, SHORTCUTS);
    if (step.run !== null) run.push(step.run);
    pending = step.pending;
  }
  return run;
}

describe("readKey", () => {
  it("runs single keys and pairs", () => {
    expect(type("?", "g", "m", "g", "o")).toEqual(["?", "g m", "g o"]);
  });

  it("runs ? after the Shift that a keyboard needs for it (nothing happened)", () => {
    expect(type("Shift", "?")).toEqual(["?"]);
  });

  it("runs ? after an Escape that nobody wanted (it was taken for the first key of a pair)", () => {
    expect(type("Escape", "?")).toEqual(["?"]);
    expect(type("x", "g", "m")).toEqual(["g m"]);
  });

  it("begins again with the second key of a pair that does not exist", () => {
    expect(type("g", "?")).toEqual(["?"]);
    expect(type("g", "g", "m")).toEqual(["g m"]);
    expect(type("g", "x", "m")).toEqual([]);
  });
});
