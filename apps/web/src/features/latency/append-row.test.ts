import type { LatencyRow } from "@nereid/services";
import { expect, it } from "vitest";
import { appendRow } from "./append-row.ts";

const row = (t: number): LatencyRow => ({
  t,
  queue: null,
  input: null,
  infer: null,
  output: null,
  p50: null,
  p95: null,
  p99: null,
  count: 0,
  failed: 0,
  pending: 0,
  inferences: 0,
  executions: 0,
  heat: [],
});
const times = (rows: readonly LatencyRow[]) => rows.map(({ t }) => t);

it("appends, ignores what it has, keeps 15 minutes", () => {
  expect(times(appendRow([], row(1)))).toEqual([1]);
  expect(times(appendRow([row(1), row(2)], row(5)))).toEqual([1, 2, 5]);
  expect(times(appendRow([row(1), row(2)], row(2)))).toEqual([1, 2]);
  const full = Array.from({ length: 900 }, (_, i) => row(i));
  expect(times(appendRow(full, row(900)))).toHaveLength(900);
});
