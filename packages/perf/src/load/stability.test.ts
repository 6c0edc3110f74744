import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { loadWindow, mergeWindows, throughputOf } from "./load-window.ts";
import { isOverLimit, judgeWindows, type StabilityRule } from "./stability.ts";
import { recordOf, windowOf } from "./testing/records.ts";

const rule: StabilityRule = { tolerance: 0.1, percentile: undefined, maxWindows: 10, latencyLimitMs: 0, batch: 1 };
const judge = (windows: readonly (readonly [number, number])[], more: Partial<StabilityRule> = {}) =>
  judgeWindows(
    windows.map(([count, ms]) => windowOf(count, ms)),
    { ...rule, ...more },
  ).kind;

describe("judgeWindows()", () => {
  it("wants three windows that agree in throughput and latency", () => {
    expect(
      judge([
        [100, 5],
        [100, 5],
      ]),
    ).toBe("go-on");
    expect(
      judge([
        [100, 5],
        [105, 5.2],
        [110, 5.4],
      ]),
    ).toBe("stable");
    expect(
      judge([
        [100, 5],
        [105, 5],
        [111, 5],
      ]),
    ).toBe("go-on");
    expect(
      judge([
        [100, 5],
        [100, 5],
        [100, 5.6],
      ]),
    ).toBe("go-on");
    expect(
      judge([
        [10, 50],
        [100, 5],
        [100, 5],
        [100, 5],
      ]),
    ).toBe("stable");
  });

  it("is never content with a window without requests, and ends with the last of its windows", () => {
    expect(
      judge([
        [0, 0],
        [0, 0],
        [0, 0],
      ]),
    ).toBe("go-on");
    expect(
      judge(
        [
          [0, 0],
          [0, 0],
          [0, 0],
        ],
        { maxWindows: 3 },
      ),
    ).toBe("unstable");
  });

  it("ends a level at the latency limit, in whole milliseconds", () => {
    expect(judge([[100, 5]], { latencyLimitMs: 5 })).toBe("over-limit");
    expect(judge([[100, 4.9]], { latencyLimitMs: 5 })).toBe("go-on");
    expect([isOverLimit(5999, 6), isOverLimit(6000, 6), isOverLimit(1e9, 0)]).toEqual([false, true, false]);
  });

  it("compares the percentile that was chosen", () => {
    const skewed = (slow: number) => {
      const records = [...Array.from({ length: 98 }, () => recordOf(0, 5)), recordOf(0, slow), recordOf(0, slow)];
      return loadWindow(records, {
        fromMs: 0,
        toMs: 1000,
        server: [],
        generator: { cpu: 0, lagMs: 0, processes: 1, stolen: 0 },
      });
    };
    const windows = [skewed(10), skewed(10), skewed(20)];
    expect(judgeWindows(windows, rule).kind).toBe("stable");
    expect(judgeWindows(windows, { ...rule, percentile: 99 }).kind).toBe("go-on");
  });

  it("says the same of the same windows in any order", () => {
    const window = fc.tuple(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 100 }));
    fc.assert(
      fc.property(fc.tuple(window, window, window), ([a, b, c]) => {
        expect(judge([c, a, b])).toBe(judge([a, b, c]));
      }),
    );
  });
});

describe("windows", () => {
  it("count each request once where they touch, and merge to what one long window would have seen", () => {
    const ends = fc.array(fc.double({ min: 0, max: 3000, maxExcluded: true, noNaN: true }), { maxLength: 100 });
    fc.assert(
      fc.property(ends, (all) => {
        const records = all.map((end) => recordOf(end - 1, 1, { endMs: end, ok: end % 2 < 1.5 }));
        const setup = { server: [], generator: { cpu: 0, lagMs: 0, processes: 1, stolen: 0 } };
        const parts = [0, 1000, 2000].map((fromMs) => loadWindow(records, { fromMs, toMs: fromMs + 1000, ...setup }));
        const merged = mergeWindows(parts);
        const whole = loadWindow(records, { fromMs: 0, toMs: 3000, ...setup });
        expect(merged.requests).toHaveLength(whole.requests.length);
        expect([merged.failed, merged.durationMs]).toEqual([whole.failed, 3000]);
        expect(throughputOf(merged, 2)).toBeCloseTo((2 * whole.requests.length) / 3);
      }),
    );
  });
});
