import type { HistoryRow } from "@nereid/services";
import type { LineRow } from "@nereid/ui/charts";
import { csvTable } from "../../lib/csv-table.ts";

export type LineValue = (row: HistoryRow) => number | null;

/** What the charts beside the latency draw of a step, by name. */
export const VALUES = {
  requests: (row: HistoryRow) => perSecond(row.count + row.failed, row),
  failures: (row: HistoryRow) => perSecond(row.failed, row),
  good: (row: HistoryRow) => (row.good === null ? null : perSecond(row.good, row)),
  pending: (row: HistoryRow) => row.pending,
  pendingMost: (row: HistoryRow) => row.pendingMost,
  batch: (row: HistoryRow) => (row.executions === 0 ? null : row.inferences / row.executions),
  p50: (row: HistoryRow) => row.p50,
  p95: (row: HistoryRow) => row.p95,
  p99: (row: HistoryRow) => row.p99,
} as const satisfies Record<string, LineValue>;

function perSecond(count: number, { seconds }: HistoryRow): number | null {
  return seconds === 0 ? null : count / seconds;
}

export interface KeyedRows {
  readonly key: string;
  readonly rows: readonly HistoryRow[];
}

/** One value of several series side by side, as rows of a chart. */
export function linesOf(series: readonly KeyedRows[], value: LineValue): LineRow[] {
  const byTime = new Map<number, Record<string, number | null>>();
  for (const { key, rows } of series) {
    for (const row of rows) {
      const values = byTime.get(row.t) ?? {};
      values[key] = value(row);
      byTime.set(row.t, values);
    }
  }
  return [...byTime].sort(([a], [b]) => a - b).map(([t, values]) => ({ t, values }));
}

/** Several values of one series, as rows of a chart. */
export function valuesOf(rows: readonly HistoryRow[], values: Readonly<Record<string, LineValue>>): LineRow[] {
  return rows.map((row) => ({
    t: row.t,
    values: Object.fromEntries(Object.entries(values).map(([key, value]) => [key, value(row)])),
  }));
}

/** The rows of the period before, drawn at the times of this one. */
export function shifted(rows: readonly HistoryRow[], seconds: number): HistoryRow[] {
  return rows.map((row) => ({ ...row, t: row.t + seconds }));
}

/** Rows of two periods in one: those of the earlier one have its prefix before their keys. */
export function beside(now: readonly LineRow[], earlier: readonly LineRow[]): LineRow[] {
  const byTime = new Map(now.map((row) => [row.t, row]));
  for (const { t, values } of earlier) {
    const there = byTime.get(t);
    const prefixed = Object.fromEntries(Object.entries(values).map(([key, value]) => [`${EARLIER}${key}`, value]));
    byTime.set(t, { t, values: { ...there?.values, ...prefixed } });
  }
  return [...byTime.values()].sort((a, b) => a.t - b.t);
}

export const EARLIER = "earlier ";

/** A table as comma-separated text: ISO times, then the values; what is not known is empty. */
export function csvOf(
  rows: readonly LineRow[],
  columns: readonly { readonly key: string; readonly label: string }[],
): string {
  const head = ["time", ...columns.map(({ label }) => label)];
  return csvTable([
    head,
    ...rows.map(({ t, values }) => [new Date(t * 1000).toISOString(), ...columns.map(({ key }) => values[key])]),
  ]);
}
