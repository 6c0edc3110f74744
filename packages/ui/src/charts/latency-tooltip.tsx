import { formatDuration } from "../format/format-duration.ts";
import { formatNumber } from "../format/format-number.ts";
import { LATENCY_SERIES, type SeriesKey } from "./latency-series.ts";
import type { ChartPoint } from "./prepare-latency.ts";
import { SeriesSwatch } from "./series-swatch.tsx";
import { stepLabel } from "./time-words.ts";

export interface LatencyTooltipProps {
  readonly active: boolean;
  readonly point: ChartPoint | undefined;
  readonly hidden: ReadonlySet<SeriesKey>;
  /** Seconds of one point. */
  readonly step: number;
}

/** The second under the pointer, top of the chart first. */
export function LatencyTooltip({ active, point, hidden, step }: LatencyTooltipProps) {
  if (!active || point === undefined) return null;
  const shown = LATENCY_SERIES.filter((series) => !hidden.has(series.key)).toReversed();
  return (
    <div className="min-w-48 rounded-md border bg-panel px-3 py-2 text-[0.857rem] text-ink shadow-xl">
      <p className="font-medium font-mono">{stepLabel(point.t, step)}</p>
      <p className="mb-1.5 text-ink-soft">
        {point.missing
          ? "No data"
          : `${point.count} ok, ${point.failed} failed, ${formatNumber(point.pending)} pending`}
      </p>
      {point.missing || point.count === 0 ? null : (
        <dl className="grid grid-cols-[auto_1fr_auto] items-center gap-x-2 gap-y-0.5">
          {shown.map((series) => (
            <div key={series.key} className="contents">
              <SeriesSwatch series={series} />
              <dt>
                {series.label}
                {series.kind === "mean" ? <span className="text-ink-soft"> mean</span> : null}
              </dt>
              <dd className="text-right font-mono">{formatDuration(point[series.key])}</dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  );
}
