import type { HistoryRow, LatencyRow, ModelHistory } from "@nereid/services";

/** The frame and rows of one series as the charts draw them. */
export interface ShownHistory extends Pick<ModelHistory, "from" | "to" | "step" | "partialFrom"> {
  readonly rows: readonly HistoryRow[];
}

/**
 * What was read of the history, moved on by the seconds that came since. Only for windows of single seconds: longer steps cannot be
 * added up in the browser.
 */
export function mergeLive(history: ModelHistory, live: readonly LatencyRow[] = []): ShownHistory {
  const { from, to, step, partialFrom } = history;
  const rows = history.series[0]?.rows ?? [];
  const newest = live.at(-1)?.t;
  if (step !== 1 || newest === undefined || newest < to) return { from, to, step, partialFrom, rows };
  const start = newest + 1 - (to - from);
  // Data that is too far apart to belong together: the browser was asleep, and the next answer is on its way.
  if (start > to) return { from, to, step, partialFrom, rows };
  const known = new Set(rows.map(({ t }) => t));
  const added = live.filter(({ t }) => t >= start && !known.has(t)).map(secondOf);
  const merged = [...rows.filter(({ t }) => t >= start), ...added].sort((a, b) => a.t - b.t);
  return { from: start, to: newest + 1, step, partialFrom: null, rows: merged };
}

function secondOf(row: LatencyRow): HistoryRow {
  return { ...row, seconds: 1, pendingMost: row.pending, good: null };
}
