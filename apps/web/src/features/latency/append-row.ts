import type { LatencyRow } from "@nereid/services";

/** Seconds that a page keeps. */
const KEPT = 900;

/** Adds a second to ascending rows; one that is already there is left alone. Drops what is older than the longest range. */
export function appendRow(rows: readonly LatencyRow[], row: LatencyRow): LatencyRow[] {
  const last = rows.at(-1);
  if (last !== undefined && row.t <= last.t) return [...rows];
  return [...rows.filter(({ t }) => t > row.t - KEPT), row];
}
