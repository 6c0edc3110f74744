import { expect, it } from "vitest";
import { histogramRows, LevelTally } from "./level-tally.ts";
import { loadWindow } from "./load-window.ts";
import { PointSeries } from "./point-series.ts";
import { countersOf, recordOf } from "./testing/records.ts";

const second = (number: number, ms: number) => {
  const fromMs = number * 1000;
  const records = Array.from({ length: 100 }, (_, at) =>
    recordOf(fromMs + at * 10 - ms, ms, { endMs: fromMs + at * 10 }),
  );
  const generator = { cpu: 0.5, lagMs: 0, processes: 1, stolen: 0 };
  return loadWindow(records, { fromMs, toMs: fromMs + 1000, server: [countersOf("m", 100)], generator });
};

it("has a point for each second, and for hours no more than a chart shows, of which none mixes levels", () => {
  const series = new PointSeries(2);
  for (let number = 0; number < 7_200; number += 1) {
    const level = number < 3_600 ? 1 : 8;
    series.add({ t: number + 1, level, offered: null, window: second(number, level), goodWithinMs: 4 });
  }
  const { points } = series;
  expect(points.length).toBeLessThanOrEqual(300);
  expect(points.at(-1)).toMatchObject({ t: 7_200, level: 8, throughput: 200 });
  expect(points.reduce((sum, { good }) => sum + good, 0)).toBe(360_000);
  for (const { level, p99 } of points) expect(p99).toBeCloseTo(level, 0);
});

it("a tally of many requests is a histogram whose rows have them all", () => {
  const tally = new LevelTally();
  for (let number = 0; number < 10; number += 1) tally.add(second(number, 1 + number), 5);
  const rows = histogramRows(tally.toSparse(), 4);
  expect(rows.reduce((sum, [, , count]) => sum + count, 0)).toBe(1_000);
  for (const [from, to] of rows) expect(to / from).toBeCloseTo(2 ** 0.25);
  expect([tally.figures.good, tally.throughput(1), tally.goodput(1)]).toEqual([500, 100, 50]);
  expect(tally.percentileMs(100)).toBe(10);
});
