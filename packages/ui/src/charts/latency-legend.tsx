"use client";

import { cn } from "../cn.ts";
import { LATENCY_SERIES, type SeriesKey } from "./latency-series.ts";
import { SeriesSwatch } from "./series-swatch.tsx";

export interface LatencyLegendProps {
  readonly hidden: ReadonlySet<SeriesKey>;
  readonly onToggle: (key: SeriesKey) => void;
}

const GROUPS = [
  { kind: "mean", label: "Means, stacked" },
  { kind: "percentile", label: "Percentiles of the whole request" },
] as const;

/** Says what is drawn how, and switches series off and on. */
export function LatencyLegend({ hidden, onToggle }: LatencyLegendProps) {
  return (
    <div className="flex flex-wrap gap-x-6 gap-y-1.5 text-[0.857rem]">
      {GROUPS.map((group) => (
        <fieldset key={group.kind} className="flex min-w-0 flex-wrap items-center gap-x-1 gap-y-1">
          <legend className="float-left mr-2 text-ink-soft">{group.label}</legend>
          {LATENCY_SERIES.filter((series) => series.kind === group.kind)
            .toReversed()
            .map((series) => (
              <button
                key={series.key}
                type="button"
                aria-pressed={!hidden.has(series.key)}
                onClick={() => onToggle(series.key)}
                className={cn(
                  "inline-flex min-h-[24px] items-center gap-1.5 rounded-sm px-1.5 hover:bg-raised",
                  hidden.has(series.key) && "text-ink-soft line-through [&_svg]:opacity-35",
                )}
              >
                <SeriesSwatch series={series} />
                {series.label}
              </button>
            ))}
        </fieldset>
      ))}
    </div>
  );
}
