import { describe, expect, it } from "vitest";
import { HISTORY_RANGE_SECONDS } from "./search-params.ts";
import { isFollowed, refreshMs, windowOf, zoomTo } from "./time-window.ts";

const NOW = 1_700_000_000;

describe("the window of an address", () => {
  it.each([
    [
      { range: "1h", from: null, to: null },
      { kind: "recent", range: "1h", seconds: 3_600 },
    ],
    [
      { range: "1h", from: 10, to: 20 },
      { kind: "fixed", from: 10, to: 20 },
    ],
    [
      { range: "5m", from: 20, to: 20 },
      { kind: "recent", range: "5m", seconds: 300 },
    ],
    [
      { range: "5m", from: 20, to: null },
      { kind: "recent", range: "5m", seconds: 300 },
    ],
  ] as const)("%o", (params, window) => expect(windowOf(params, HISTORY_RANGE_SECONDS)).toEqual(window));

  it("only short windows up to now are followed, and what is past is not asked for again", () => {
    const fixed = { kind: "fixed", from: NOW - 100, to: NOW - 50 } as const;
    expect(isFollowed(windowOf({ range: "15m", from: null, to: null }, HISTORY_RANGE_SECONDS))).toBe(true);
    expect(isFollowed(windowOf({ range: "1h", from: null, to: null }, HISTORY_RANGE_SECONDS))).toBe(false);
    expect(isFollowed(fixed)).toBe(false);
    expect(refreshMs(fixed, NOW)).toBe(false);
    expect(refreshMs({ ...fixed, to: NOW + 50 }, NOW)).toBe(10_000);
  });
});

it("a drawn stretch has its last step, and ten seconds at least", () => {
  expect(zoomTo(100, 160, 20)).toEqual({ from: 100, to: 180 });
  expect(zoomTo(100, 101, 1)).toEqual({ from: 92, to: 102 });
});
