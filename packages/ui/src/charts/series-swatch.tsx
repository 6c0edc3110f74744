import type { SeriesLook } from "./latency-series.ts";

/** A filled square for a stacked mean, a piece of the line for a percentile. */
export function SeriesSwatch({ series }: { readonly series: SeriesLook }) {
  return (
    <svg aria-hidden="true" viewBox="0 0 18 10" className="h-2.5 w-4.5 shrink-0">
      {series.kind === "mean" ? (
        <rect x="4" width="10" height="10" rx="2" fill={series.color} fillOpacity="0.8" />
      ) : (
        <line
          x1="1"
          x2="17"
          y1="5"
          y2="5"
          stroke={series.color}
          strokeWidth="2"
          strokeLinecap="round"
          strokeDasharray={series.dash}
        />
      )}
    </svg>
  );
}
