import type { Overview } from "@nereid/services";
import { formatDuration, formatNumber, formatShare } from "@nereid/ui";
import { Sparkline } from "@nereid/ui/charts";
import type { Range } from "../latency/search-params.ts";
import { comparedTo } from "./tile-words.ts";

const WINDOWS = { "1m": "minute", "5m": "5 min", "15m": "15 min" } as const;

/** Rate, errors and durations of all models together, each with its course and the period before. */
export function OverviewTiles({ tiles, range }: { readonly tiles: Overview["tiles"]; readonly range: Range }) {
  const rows = [
    { label: "Requests per second", tile: tiles.requestsPerSecond, format: (value: number) => formatNumber(value) },
    { label: "Errors, of requests", tile: tiles.errorShare, format: (value: number) => formatShare(value) },
    { label: "p50 latency", tile: tiles.p50Ms, format: (value: number) => formatDuration(value) },
    { label: "p99 latency", tile: tiles.p99Ms, format: (value: number) => formatDuration(value) },
    { label: "Mean time in queue", tile: tiles.queueMs, format: (value: number) => formatDuration(value) },
  ];
  return (
    <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-lg border bg-line shadow-panel *:first:col-span-2 sm:grid-cols-5 sm:*:first:col-span-1">
      {rows.map(({ label, tile, format }) => {
        const alarming = label.startsWith("Errors") && (tile.now ?? 0) > 0;
        return (
          <div key={label} className="min-w-0 bg-panel px-4 py-3">
            <dt className="truncate text-[0.857rem] text-ink-soft">{label}</dt>
            <dd className={`mt-0.5 font-medium font-mono text-xl tracking-tight ${alarming ? "text-bad" : ""}`}>
              {tile.now === null ? "–" : format(tile.now)}
            </dd>
            <dd className="mt-1">
              <Sparkline values={tile.spark} label={`${label} over the last ${WINDOWS[range]}`} />
            </dd>
            <dd className="mt-1 text-[0.786rem] text-ink-soft">{comparedTo(tile, format, WINDOWS[range])}</dd>
          </div>
        );
      })}
    </dl>
  );
}
