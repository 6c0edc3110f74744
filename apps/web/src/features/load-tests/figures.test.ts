import type { LoadLevel, LoadPoint } from "@nereid/services/load-test-report";
import { describe, expect, it } from "vitest";
import { changeText, sharedLevels } from "./compare-rows.ts";
import { filledRows } from "./histogram-rows.ts";
import { pointRows } from "./point-rows.ts";
import { proposedThresholds } from "./proposed-thresholds.ts";

const point = (t: number, level = 1): LoadPoint => ({
  t,
  level,
  offered: null,
  throughput: 10,
  p50: 1,
  p90: 1,
  p99: 1,
  failed: 0,
  good: 10,
  serverQueueMs: 0,
  serverComputeMs: 1,
  generatorCpu: 0.1,
});
const level = (at: number, client: Partial<LoadLevel["client"]> = {}) =>
  ({ level: at, client: { answered: 100, failed: 0, throughput: 100, p50: 5, p99: 20, ...client } }) as LoadLevel;

describe("the points of a chart", () => {
  it("lie on even steps; a second that came late is no gap, and what lies between two levels is one", () => {
    const { rows, step, from, levels } = pointRows(
      [point(0.99), point(2.01), point(3), point(6, 8), point(7, 8)],
      10_500,
    );
    expect([step, from, rows.map(({ t }) => t - from)]).toEqual([1, 10, [0, 1, 2, 3, 6, 7]]);
    expect(levels.map(({ t, level: at }) => [t - from, at])).toEqual([
      [0, 1],
      [6, 8],
    ]);
  });

  it("of a long test are as far apart as its points", () => {
    const points = Array.from({ length: 20 }, (_, at) => point(8 * (at + 1)));
    expect(pointRows(points, 0)).toMatchObject({ step: 8, to: 168 });
  });
});

it("a histogram has its empty bars", () => {
  expect(filledRows([])).toEqual([]);
  const rows = filledRows([
    [1, 2, 5],
    [8, 16, 1],
  ]);
  expect(rows.map(({ fromMs, count }) => [fromMs, count])).toEqual([
    [1, 5],
    [2, 0],
    [4, 0],
    [8, 1],
  ]);
});

it("two runs are compared where both have a level", () => {
  const [one, other] = [
    [level(1), level(2)],
    [level(2), level(4)],
  ];
  expect(sharedLevels(one, other).map((row) => row.level)).toEqual([2]);
  expect([changeText(100, 112), changeText(10, 9.9), changeText(0, 5), changeText(null, 5)]).toEqual([
    "+12 %",
    "-1.0 %",
    null,
    null,
  ]);
});

it("proposes what was measured and a fifth", () => {
  expect(proposedThresholds(undefined)).toEqual([]);
  expect(proposedThresholds(level(1, { answered: 0 }))).toEqual([]);
  expect(proposedThresholds(level(1, { failed: 100 }))).toEqual([
    { kind: "latency", percentile: 50, atMostMs: 6 },
    { kind: "latency", percentile: 99, atMostMs: 24 },
    { kind: "throughput", atLeast: 83 },
    { kind: "error-share", atMost: 0.6 },
  ]);
});
