import type { WindowFigures } from "@nereid/services";
import { formatDuration, formatNumber, formatShare, StatTile } from "@nereid/ui";

/** The model's last ten seconds in five figures. */
export function FigureTiles({ figures }: { readonly figures: WindowFigures | null }) {
  const failures = figures?.failuresPerSecond ?? 0;
  return (
    <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-lg border bg-line shadow-panel *:first:col-span-2 sm:grid-cols-5 sm:*:first:col-span-1">
      <StatTile label="Requests per second" value={formatNumber(figures?.requestsPerSecond ?? null)} note="last 10 s" />
      <StatTile
        label="p99 latency"
        value={formatDuration(figures?.p99 ?? null)}
        note={figures === null ? "last 10 s" : `${formatNumber(figures.samples)} requests, last 10 s`}
      />
      <StatTile label="Mean batch" value={formatNumber(figures?.meanBatch ?? null)} note="inferences per execution" />
      <StatTile
        label="Errors"
        value={formatShare(figures?.failureShare ?? null)}
        note={failures > 0 ? `${formatNumber(failures)} per second` : "of requests, last 10 s"}
        alarming={failures > 0}
      />
      <StatTile label="Pending" value={formatNumber(figures?.pending ?? null)} note="accepted, not yet executing" />
    </dl>
  );
}
