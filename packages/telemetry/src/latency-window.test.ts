import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LatencyHistogram, LatencyWindow, PhaseSeries, SummaryWindows } from "./index.ts";

/** The sample at rank ceil(q n), which is what a summary without any error gives. */
function exact(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(q * sorted.length) - 1)] ?? Number.NaN;
}

const durations = fc.array(fc.integer({ min: 0, max: 60_000_000_000 }), { minLength: 1, maxLength: 300 });

describe("LatencyWindow", () => {
  it("is within 3.2 % of the exact quantiles of what was observed", () => {
    fc.assert(
      fc.property(durations, fc.double({ min: 0.001, max: 1, noNaN: true }), (values, q) => {
        const histogram = new LatencyHistogram();
        const window = new LatencyWindow(histogram);
        for (const value of values) histogram.record(value);
        const [estimate = Number.NaN] = window.quantiles([q]);
        const wanted = exact(values, q);
        expect(Math.abs(estimate - wanted)).toBeLessThanOrEqual(wanted / 32 + 1);
      }),
    );
  });

  it("knows only the last five steps", () => {
    fc.assert(
      fc.property(durations, durations, (before, since) => {
        const histogram = new LatencyHistogram();
        const window = new LatencyWindow(histogram);
        for (const value of before) histogram.record(value);
        // The snapshot after `before` becomes the oldest one when the first of the ring has left.
        window.step();
        for (let step = 0; step < 4; step += 1) window.step();
        for (const value of since) histogram.record(value);
        const [estimate = Number.NaN] = window.quantiles([0.5]);
        const wanted = exact(since, 0.5);
        expect(Math.abs(estimate - wanted)).toBeLessThanOrEqual(wanted / 32 + 1);
      }),
    );
  });

  it("gives NaN when nothing was observed in it", () => {
    const histogram = new LatencyHistogram();
    const window = new LatencyWindow(histogram);
    expect(window.quantiles([0.5, 0.99])).toEqual([Number.NaN, Number.NaN]);
    histogram.record(5);
    expect(window.quantiles([0.5])).not.toEqual([Number.NaN]);
    for (let step = 0; step < 5; step += 1) window.step();
    expect(window.quantiles([0.5])).toEqual([Number.NaN]);
  });
});

describe("SummaryWindows", () => {
  it("keeps one window for each series and phase, and steps them together", () => {
    const windows = new SummaryWindows();
    const series = new PhaseSeries();
    expect(windows.of(series)).toBe(windows.of(series));
    series.histograms.queue.record(1000);
    for (let step = 0; step < 5; step += 1) windows.step([series]);
    expect(windows.of(series).queue.quantiles([0.5])).toEqual([Number.NaN]);
  });
});
