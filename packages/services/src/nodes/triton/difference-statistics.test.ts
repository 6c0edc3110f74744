import type { ModelStatisticsEntry } from "@nereid/client";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { differenceStatistics, versionKey } from "./difference-statistics.ts";

interface Work {
  readonly success: number;
  readonly failure: number;
  readonly size: number;
  readonly ns: number;
}

/** Counters of a version that has done this since it was loaded: each success one execution of `size` inferences. */
function counters(work: readonly Work[], name = "m"): ModelStatisticsEntry {
  const sum = (of: (one: Work) => number) => work.reduce((total, one) => total + of(one), 0);
  const successes = { count: sum(({ success }) => success), ns: sum(({ success, ns }) => success * ns) };
  const nothing = { count: 0, ns: 0 };
  const sizes = [...new Set(work.map(({ size }) => size))];
  return {
    name,
    version: "1",
    last_inference: 0,
    inference_count: sum(({ success, size }) => success * size),
    execution_count: successes.count,
    inference_stats: {
      success: successes,
      fail: { count: sum(({ failure }) => failure), ns: 0 },
      queue: successes,
      compute_input: successes,
      compute_infer: successes,
      compute_output: successes,
      cache_hit: nothing,
      cache_miss: nothing,
    },
    response_stats: {},
    batch_stats: sizes.map((size) => {
      const done = { count: sum((one) => (one.size === size ? one.success : 0)), ns: 1 };
      return { batch_size: size, compute_input: done, compute_infer: done, compute_output: done };
    }),
    memory_usage: [],
  };
}

const work = fc.record({
  success: fc.nat(50),
  failure: fc.nat(5),
  size: fc.integer({ min: 1, max: 8 }),
  ns: fc.nat(1_000_000),
});

describe("differences of a server's counters", () => {
  it("add up to all that was done between the first reading and the last, and are never negative", () => {
    fc.assert(
      fc.property(fc.array(work, { minLength: 2, maxLength: 12 }), (steps) => {
        const readings = steps.map((_, i) => [counters(steps.slice(0, i + 1))]);
        const rows = readings.slice(1).flatMap((after, i) => differenceStatistics(readings[i] ?? [], after));
        const total = (of: (row: (typeof rows)[number]) => number) => rows.reduce((sum, row) => sum + of(row), 0);
        const done = steps.slice(1);
        expect(total((row) => row.success)).toBe(done.reduce((sum, one) => sum + one.success, 0));
        expect(total((row) => row.failure)).toBe(done.reduce((sum, one) => sum + one.failure, 0));
        expect(total((row) => row.inferences)).toBe(done.reduce((sum, one) => sum + one.success * one.size, 0));
        expect(total((row) => row.sumNs.request)).toBe(done.reduce((sum, one) => sum + one.success * one.ns, 0));
        const batches = rows.flatMap(({ batchSizes = [] }) => batchSizes);
        expect(batches.reduce((sum, [, count]) => sum + count, 0)).toBe(total((row) => row.executions));
        for (const { sumNs, executions } of rows) {
          for (const value of [...Object.values(sumNs), executions]) expect(value).toBeGreaterThanOrEqual(0);
        }
      }),
    );
  });

  it("after a reload are what the new counters have counted, never less than nothing", () => {
    fc.assert(
      fc.property(work, work, (before, after) => {
        const old = counters([before, { success: 60, failure: 6, size: 1, ns: 2_000_000 }]);
        const [row] = differenceStatistics([old], [counters([after])]);
        expect([row?.success ?? 0, row?.failure ?? 0]).toEqual([after.success, after.failure]);
      }),
    );
  });

  it("of a version that is seen for the first time are no burst; what is pending is said all the same", () => {
    const seen = counters([{ success: 1e6, failure: 0, size: 1, ns: 5 }]);
    expect(differenceStatistics([], [seen])).toEqual([]);
    const [row] = differenceStatistics([], [seen], new Map([[versionKey("m", "1"), 7]]));
    expect(row).toMatchObject({ success: 0, pending: 7, sumNs: { request: 0 }, latency: [] });
  });

  it("of a version that does nothing, or is gone, have no row", () => {
    const same = counters([{ success: 3, failure: 1, size: 2, ns: 5 }]);
    expect(differenceStatistics([same, counters([], "gone")], [same])).toEqual([]);
  });
});
