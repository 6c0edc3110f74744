import { expect, it } from "vitest";
import { histogramOf } from "./events-histogram.ts";

it("counts events in bins of a round width over the whole window", () => {
  const { bins, widthSeconds, largest, summary } = histogramOf(
    [
      { t: 3_600, kind: "config" },
      { t: 3_601, kind: "alert" },
      { t: 7_199.9, kind: "load" },
      { t: 99_999, kind: "load" },
    ],
    { from: 3_600, to: 7_200 },
  );
  expect(widthSeconds).toBe(60);
  expect(bins).toHaveLength(61);
  expect(bins[0]).toEqual({ from: 3_600, events: 2, trouble: 1 });
  expect(bins[59]?.events).toBe(1);
  expect(largest).toBe(2);
  expect(summary).toBe("3 events, 1 of them trouble that nobody asked for");
});

it("has one bin for a window without length, and wide ones for years", () => {
  expect(histogramOf([], { from: 5, to: 5 }).bins).toHaveLength(1);
  expect(histogramOf([], { from: 0, to: 10 ** 9 }).bins.length).toBeLessThanOrEqual(62);
});
