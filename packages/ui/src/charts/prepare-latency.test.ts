import { describe, expect, it } from "vitest";
import type { LatencyPoint } from "./latency-series.ts";
import { binaryScale, niceScale, timeTicks } from "./nice-scale.ts";
import { prepareLatency } from "./prepare-latency.ts";

const busy = (t: number, scale = 1): LatencyPoint => ({
  t,
  queue: 4 * scale,
  input: scale,
  infer: 4 * scale,
  output: scale,
  p50: 9 * scale,
  p95: 20 * scale,
  p99: 40 * scale,
  count: 10,
  failed: 0,
  pending: 0,
});
const idle = (t: number): LatencyPoint => ({
  ...busy(t),
  queue: null,
  input: null,
  infer: null,
  output: null,
  p50: null,
  p95: null,
  p99: null,
  count: 0,
});
const none = new Set<never>();

describe("prepareLatency", () => {
  it("answers null before the first row", () => {
    expect(prepareLatency({ rows: [], rangeSeconds: 60, hidden: none })).toBeNull();
  });

  it("ends at the newest row and cuts to the range", () => {
    const rows = Array.from({ length: 100 }, (_, i) => busy(1000 + i));
    const prepared = prepareLatency({ rows, rangeSeconds: 60, hidden: none });
    expect(prepared).toMatchObject({ from: 1040, to: 1099, gaps: [] });
    expect(prepared?.points).toHaveLength(60);
  });

  it("a missing second is a gap of nulls, an idle one is not a gap", () => {
    const prepared = prepareLatency({ rows: [busy(10), idle(11), busy(15), busy(16)], rangeSeconds: 60, hidden: none });
    expect(prepared?.points.map((point) => point.t)).toEqual([10, 11, 12, 13, 14, 15, 16]);
    expect(prepared?.gaps).toEqual([{ from: 12, to: 14 }]);
    expect(prepared?.points[3]).toMatchObject({ missing: true, p99: null, queue: null });
    expect(prepared?.points[1]).toMatchObject({ missing: false, p99: null });
  });

  it("names points that no line would reach", () => {
    const prepared = prepareLatency({
      rows: [busy(10), idle(11), busy(12), busy(13)],
      rangeSeconds: 60,
      hidden: new Set(["p50"]),
    });
    expect([...(prepared?.isolated ?? [])]).toEqual(["p95:10", "p99:10"]);
    expect(prepared?.columns.map(({ key, t, bottom, top }) => [key, t, bottom, top])).toEqual([
      ["output", 10, 0, 1],
      ["infer", 10, 1, 5],
      ["input", 10, 5, 6],
      ["queue", 10, 6, 10],
    ]);
  });

  it("scales to what is shown", () => {
    const rows = [busy(10)];
    expect(prepareLatency({ rows, rangeSeconds: 60, hidden: none })?.scale.max).toBe(40);
    const hidden = new Set(["p95", "p99"] as const);
    expect(prepareLatency({ rows, rangeSeconds: 60, hidden })?.scale.max).toBe(10);
    const fitted = prepareLatency({ rows, rangeSeconds: 60, hidden: none, fit: "means" });
    expect(fitted).toMatchObject({ scale: { max: 15 }, clipped: true });
  });
});

describe("niceScale", () => {
  it.each([
    [0, 1],
    [0.037, 0.04],
    [7.3, 8],
    [10, 10],
    [101, 150],
    [940, 1000],
  ])("%s fits under %s", (largest, max) => {
    const scale = niceScale(largest);
    expect(scale.max).toBeCloseTo(max, 9);
    expect(scale.ticks.at(-1)).toBeCloseTo(max, 9);
    expect(scale.ticks.length).toBeGreaterThan(2);
  });
});

it("timeTicks lie on round moments", () => {
  expect(timeTicks(1003, 1062, 5)).toEqual([1005, 1020, 1035, 1050]);
  expect(timeTicks(0, 899, 5)).toEqual([0, 180, 360, 540, 720]);
});

it.each([
  [0, [0, 512, 1024]],
  [700, [0, 256, 512, 768]],
  [1024 ** 3, [0, 2 ** 28, 2 ** 29, 3 * 2 ** 28, 2 ** 30]],
  [1.1 * 1024 ** 3, [0, 2 ** 29, 2 ** 30, 3 * 2 ** 29]],
  [61 * 1024 ** 3, [0, 2 ** 34, 2 ** 35, 3 * 2 ** 34, 2 ** 36]],
])("an axis that holds %s bytes has steps of powers of two", (largest, ticks) => {
  expect(binaryScale(largest)).toEqual({ max: ticks.at(-1), ticks });
});
