import type { LoadInProgress } from "@nereid/client";
import { describe, expect, it } from "vitest";
import { loadText, refreshInterval } from "./load-words.ts";

const row = (version: string, stage: LoadInProgress["stage"], elapsedMs = 0): LoadInProgress => ({
  version,
  stage,
  sinceMs: 0,
  elapsedMs,
});

describe("loadText", () => {
  it.each([
    [[], null],
    [[row("1", "warm-up", 3_999)], "Loading: warm-up, 3 s"],
    [[row("", "reading", 200)], "Loading: reading the configuration, 0 s"],
    [[row("1", "loading", 125_000)], "Loading: reading the model, 2 min 5 s"],
    [[row("1", "queued", 3_720_000)], "Loading: waiting for its turn, 1 h 2 min"],
    [
      [row("1", "warm-up", 4_000), row("2", "starting", 9_000), row("3", "warm-up", 9_000)],
      "Loading: version 1, 3 warm-up; version 2 starting a process, 9 s",
    ],
    [[row("", "queued", 1_000), row("", "queued", 2_000)], "Loading: waiting for its turn, 2 s"],
  ])("%j", (loading, text) => {
    expect(loadText(loading)).toBe(text);
  });
});

it("asks more often while something is being loaded", () => {
  expect(refreshInterval([{}, { loading: [] }])).toBe(3_000);
  expect(refreshInterval([{}, { loading: [row("1", "queued")] }])).toBe(1_000);
});
