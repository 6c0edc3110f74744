import { thresholds } from "@nereid/services";
import { expect, it } from "vitest";
import { BAR_KEYS, BARS, barsText, keptBar, readBars, shownBar } from "./bars.ts";

it("are those of the diagnosis, with its numbers and bounds", () => {
  expect(Object.fromEntries(BAR_KEYS.map((key) => [key, BARS[key].standard]))).toEqual(thresholds.parse({}));
  for (const key of BAR_KEYS) {
    const { min, max } = BARS[key];
    expect([key, thresholds.safeParse({ [key]: min }).success]).toEqual([key, true]);
    expect([key, thresholds.safeParse({ [key]: max }).success]).toEqual([key, true]);
    expect([key, thresholds.safeParse({ [key]: min - 0.1 }).success]).toEqual([key, false]);
  }
});

it("stand in the address where they are not as usual; nonsense is left out", () => {
  expect(readBars("busyShare:0.7,minRequests:50")).toEqual({ busyShare: 0.7, minRequests: 50 });
  expect(barsText({ minRequests: 50, busyShare: 0.7, cpuShare: 0.85 })).toBe("minRequests:50,busyShare:0.7");
  for (const text of [
    "",
    "busyShare",
    "busyShare:",
    "busyShare:2",
    "busyShare:x",
    "busyShare:0.1:2",
    "constructor:1",
  ]) {
    expect([text, readBars(text)]).toEqual([text, {}]);
  }
  expect(readBars("busyShare:0.85")).toEqual({});
});

it("shares are shown in per cent, without the noise of fractions", () => {
  expect(shownBar("failureShare", 0.07)).toBe(7);
  expect(keptBar("failureShare", 7)).toBe(0.07);
  expect(shownBar("eventLoopLagMs", 50)).toBe(50);
});
