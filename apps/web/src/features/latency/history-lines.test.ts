import type { HistoryRow } from "@nereid/services";
import { expect, it } from "vitest";
import { beside, csvOf, linesOf, shifted, VALUES, valuesOf } from "./history-lines.ts";

const row = (t: number, more: Partial<HistoryRow> = {}): HistoryRow => ({
  t,
  queue: 1,
  input: 1,
  infer: 1,
  output: 1,
  p50: 3,
  p95: 4,
  p99: 5,
  count: 20,
  failed: 10,
  pending: 1,
  pendingMost: 3,
  inferences: 12,
  executions: 4,
  heat: [],
  seconds: 10,
  good: null,
  ...more,
});

it("rates are by the seconds that were watched, means by what there was", () => {
  expect(VALUES.requests(row(0))).toBe(3);
  expect(VALUES.requests(row(0, { seconds: 0 }))).toBeNull();
  expect(VALUES.good(row(0))).toBeNull();
  expect(VALUES.good(row(0, { good: 15 }))).toBe(1.5);
  expect(VALUES.batch(row(0))).toBe(3);
  expect(VALUES.batch(row(0, { executions: 0 }))).toBeNull();
});

it("series stand side by side, and the period before at the times of this one", () => {
  const lines = linesOf(
    [
      { key: "1", rows: [row(10), row(20)] },
      { key: "2", rows: [row(20, { p99: 7 })] },
    ],
    VALUES.p99,
  );
  expect(lines).toEqual([
    { t: 10, values: { 1: 5 } },
    { t: 20, values: { 1: 5, 2: 7 } },
  ]);
  const now = valuesOf([row(110)], { p99: VALUES.p99 });
  const earlier = valuesOf(shifted([row(10, { p99: 9 }), row(20)], 100), { p99: VALUES.p99 });
  expect(beside(now, earlier)).toEqual([
    { t: 110, values: { p99: 5, "earlier p99": 9 } },
    { t: 120, values: { "earlier p99": 5 } },
  ]);
});

it("the table for other programs has ISO times, quoted heads and nothing for what is not known", () => {
  const columns = [
    { key: "a", label: 'p99, "all"' },
    { key: "b", label: "b" },
  ];
  expect(csvOf([{ t: 0, values: { a: 1.5, b: null } }], columns)).toBe(
    'time,"p99, ""all""",b\r\n1970-01-01T00:00:00.000Z,1.5,\r\n',
  );
});
