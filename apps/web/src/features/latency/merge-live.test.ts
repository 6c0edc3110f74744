import type { HistoryRow, ModelHistory } from "@nereid/services";
import { expect, it } from "vitest";
import { mergeLive } from "./merge-live.ts";

const durations = { queue: null, input: null, infer: null, output: null, p50: null, p95: null, p99: null };
const row = (t: number): HistoryRow => ({
  t,
  ...durations,
  count: t,
  failed: 0,
  pending: 2,
  pendingMost: 2,
  inferences: 0,
  executions: 0,
  heat: [],
  seconds: 1,
  good: null,
});
const history = (from: number, to: number, step = 1): ModelHistory => ({
  step,
  from,
  to,
  partialFrom: null,
  source: "own",
  series: [{ key: "", rows: Array.from({ length: (to - from) / step }, (_, i) => row(from + i * step)) }],
  totals: {
    count: 0,
    failed: 0,
    mean: null,
    p50: null,
    p95: null,
    p99: null,
    failures: {},
    batchSizes: [],
    closed: {},
  },
  droppedSeries: 0,
});
const times = (rows: readonly HistoryRow[]) => rows.map(({ t }) => t);

it("the window moves on with the seconds that come, and fills what the history did not have yet", () => {
  const merged = mergeLive(history(0, 5), [3, 4, 5, 6].map(row));
  expect([merged.from, merged.to, times(merged.rows)]).toEqual([2, 7, [2, 3, 4, 5, 6]]);
  expect(merged.rows.at(-1)).toMatchObject({ seconds: 1, pendingMost: 2 });
});

it("older seconds, longer steps and a stream from long after leave it as it was read", () => {
  expect(times(mergeLive(history(0, 5), [row(3)]).rows)).toEqual([0, 1, 2, 3, 4]);
  expect(times(mergeLive(history(0, 20, 5), [row(21)]).rows)).toEqual([0, 5, 10, 15]);
  expect(mergeLive(history(0, 5), [row(500)]).to).toBe(5);
});
