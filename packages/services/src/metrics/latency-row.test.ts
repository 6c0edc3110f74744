import { describe, expect, it } from "vitest";
import { bucketOf, seriesOf } from "../testing/buckets.ts";
import { toLatencyRow } from "./latency-row.ts";

describe("toLatencyRow", () => {
  it("answers means in milliseconds that add up to the request", () => {
    const row = toLatencyRow(bucketOf(7, seriesOf("m", [10, 30])), { model: "m" });
    expect(row).toMatchObject({ t: 7, queue: 10, input: 2.5, infer: 5, output: 2.5, count: 2, failed: 0 });
  });

  it("answers percentiles of the whole request within a bucket's width", () => {
    const ms = Array.from({ length: 100 }, (_, i) => i + 1);
    const row = toLatencyRow(bucketOf(7, seriesOf("m", ms)), { model: "m" });
    expect(row.p50).toBeGreaterThan(48);
    expect(row.p50).toBeLessThan(53);
    expect(row.p99).toBeGreaterThan(96);
    expect(row.p99).toBeLessThan(103);
  });

  it("a second without requests has counts of 0 and durations of null", () => {
    const row = toLatencyRow(bucketOf(7, seriesOf("other", [1])), { model: "m" });
    expect(row).toMatchObject({ count: 0, failed: 0, pending: 0 });
    expect([row.queue, row.input, row.infer, row.output, row.p50, row.p95, row.p99]).toEqual(Array(7).fill(null));
  });

  it("adds versions up unless one is asked for", () => {
    const bucket = bucketOf(
      7,
      seriesOf("m", [10], { pending: 2 }),
      seriesOf("m", [30, 30], { version: "2", pending: 3 }),
    );
    expect(toLatencyRow(bucket, { model: "m" })).toMatchObject({ count: 3, pending: 5 });
    expect(toLatencyRow(bucket, { model: "m", version: "2" })).toMatchObject({ count: 2, pending: 3, queue: 15 });
  });

  it("failures alone leave durations null", () => {
    const failing = seriesOf("m", [], { failure: 4 });
    expect(toLatencyRow(bucketOf(7, failing), { model: "m" })).toMatchObject({
      failed: 4,
      count: 0,
      infer: null,
      p99: null,
    });
  });
});
