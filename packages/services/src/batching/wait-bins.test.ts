import { bucketIndex } from "@nereid/telemetry";
import { describe, expect, it } from "vitest";
import { waitBins } from "./wait-bins.ts";

describe("waitBins()", () => {
  it("counts every request once, up to the longest wait", () => {
    const bins = waitBins([
      [bucketIndex(10_000), 3],
      [bucketIndex(300_000), 2],
      [bucketIndex(3e9), 1],
    ]);
    expect(bins.find(({ fromUs }) => fromUs === 0)).toEqual({ fromUs: 0, toUs: 50, requests: 3 });
    expect(bins.find(({ fromUs }) => fromUs === 250)?.requests).toBe(2);
    expect(bins.at(-1)).toEqual({ fromUs: 1_000_000, toUs: null, requests: 1 });
    expect(bins.reduce((sum, { requests }) => sum + requests, 0)).toBe(6);
  });

  it("has no bins without requests, and none behind the longest wait", () => {
    expect(waitBins([])).toEqual([]);
    expect(waitBins([[bucketIndex(60_000), 1]])).toEqual([{ fromUs: 50, toUs: 100, requests: 1 }]);
  });

  it("has one bin for a run of empty ones", () => {
    const bins = waitBins([
      [bucketIndex(60_000), 1],
      [bucketIndex(30e6), 2],
    ]);
    expect(bins).toEqual([
      { fromUs: 50, toUs: 100, requests: 1 },
      { fromUs: 100, toUs: 25_000, requests: 0 },
      { fromUs: 25_000, toUs: 50_000, requests: 2 },
    ]);
  });
});
