import { formatDuration } from "../format/format-duration.ts";
import { formatNumber } from "../format/format-number.ts";
import { LATENCY_SERIES, type SeriesKey } from "./latency-series.ts";
import { PointTooltip } from "./point-tooltip.tsx";
import type { ChartPoint } from "./prepare-latency.ts";
import { SeriesSwatch } from "./series-swatch.tsx";

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
  const quiet = point.missing || point.count === 0;
  const shown = LATENCY_SERIES.filter((series) => !hidden.has(series.key)).toReversed();
  return (
    <PointTooltip
      t={point.t}
      step={step}
      note={
        point.missing ? "No data" : `${point.count} ok, ${point.failed} failed, ${formatNumber(point.pending)} pending`
      }
      rows={(quiet ? [] : shown).map((series) => ({
        key: series.key,
        swatch: <SeriesSwatch series={series} />,
        label: (
          <>
            {series.label}
            {series.kind === "mean" ? <span className="text-ink-soft"> mean</span> : null}
          </>
        ),
        value: formatDuration(point[series.key]),
      }))}
    />
  );
}
