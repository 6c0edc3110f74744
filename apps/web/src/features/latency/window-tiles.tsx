import type { HistoryTotals } from "@nereid/services";
import { formatDuration, formatNumber, formatShare, StatTile } from "@nereid/ui";

/** The whole window in figures, so that two windows can be compared by them. */
export function WindowTiles({
  totals,
  earlier,
}: {
  readonly totals: HistoryTotals;
  readonly earlier?: HistoryTotals | undefined;
}) {
  const all = totals.count + totals.failed;
  const before = (text: string) => (earlier === undefined ? "whole window" : `before: ${text}`);
  return (
    <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-lg border bg-line shadow-panel sm:grid-cols-3 lg:grid-cols-6">
      <StatTile
        label="Requests"
        value={formatNumber(all)}
        note={before(formatNumber((earlier?.count ?? 0) + (earlier?.failed ?? 0)))}
      />
      <StatTile
        label="Failed"
        value={formatShare(all === 0 ? null : totals.failed / all)}
        note={earlier === undefined ? `${formatNumber(totals.failed)} requests` : before(formatNumber(earlier.failed))}
        alarming={totals.failed > 0}
      />
      <StatTile
        label="Mean latency"
        value={formatDuration(totals.mean)}
        note={before(than(totals.mean, earlier?.mean))}
      />
      <StatTile label="p50 latency" value={formatDuration(totals.p50)} note={before(than(totals.p50, earlier?.p50))} />
      <StatTile label="p95 latency" value={formatDuration(totals.p95)} note={before(than(totals.p95, earlier?.p95))} />
      <StatTile label="p99 latency" value={formatDuration(totals.p99)} note={before(than(totals.p99, earlier?.p99))} />
    </dl>
  );
}

/** A duration of the period before, and by how much the present one is above or below it. */
function than(now: number | null, before: number | null | undefined): string {
  const text = formatDuration(before ?? null);
  if (now === null || before === null || before === undefined || before === 0) return text;
  const percent = Math.round((now / before - 1) * 100);
  if (percent === 0) return `${text}, the same`;
  return `${text}, ${percent > 0 ? "+" : "−"}${Math.abs(percent)} %`;
}
