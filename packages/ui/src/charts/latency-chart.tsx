"use client";

import { Area, ComposedChart, Line, ReferenceArea, Tooltip } from "recharts";
import { formatTick } from "../format/format-duration.ts";
import { ChartFigure } from "./chart-figure.tsx";
import { isolatedDots } from "./isolated-dots.tsx";
import { LATENCY_SERIES, type LatencyPoint, type SeriesKey } from "./latency-series.ts";
import { LatencyTooltip } from "./latency-tooltip.tsx";
import type { PreparedLatency } from "./prepare-latency.ts";
import { CHART_MARGIN, type ChartEvent, TimeAxes } from "./time-axes.tsx";
import { type BrushUse, useBrush } from "./use-brush.tsx";
import { useKeyCursor } from "./use-key-cursor.tsx";

export interface LatencyChartProps extends BrushUse {
  readonly prepared: PreparedLatency;
  /** Seconds of one point. */
  readonly step?: number;
  /** Percentiles of the period before, by the second at which they are drawn. */
  readonly previous?: ReadonlyMap<number, EarlierPercentiles>;
  readonly log?: boolean;
  /** Charts of the same id show one crosshair. */
  readonly syncId?: string;
  /** Beginning of the step that is still filling. */
  readonly partialFrom?: number | null;
  readonly events?: readonly ChartEvent[];
  /** What a screen reader hears of the drawing. */
  readonly summary: string;
}

/** What the same moment of the period before had; milliseconds. */
export type EarlierPercentiles = Pick<LatencyPoint, "p50" | "p95" | "p99">;

/** Half the width of a lonely second's column, in seconds. */
const COLUMN_HALF = 0.35;

const COLORS = Object.fromEntries(LATENCY_SERIES.map(({ key, color }) => [key, color])) as Record<SeriesKey, string>;

/** Stacked means under percentile lines. Draws what prepareLatency decided. */
export function LatencyChart(props: LatencyChartProps) {
  const { prepared, summary, events = [], step = 1, previous, log = false, syncId, partialFrom = null } = props;
  const { hidden } = prepared;
  const { from, to, points } = prepared;
  const brush = useBrush(props, { from, to, origin: points[0]?.t ?? from, step });
  const keyboard = useKeyCursor({ summary, times: points.map(({ t }) => t), onPick: props.onPick });
  const shown = LATENCY_SERIES.filter((series) => !hidden.has(series.key));
  const percentiles = shown.filter((series) => series.kind === "percentile");
  return (
    <ChartFigure
      summary={summary}
      brush={brush}
      keyboard={keyboard}
      height="h-80"
      before={{ width: 800, height: 320 }}
      reading={
        <LatencyTooltip active point={points.find(({ t }) => t === keyboard.cursor)} hidden={hidden} step={step} />
      }
    >
      <ComposedChart
        data={[...prepared.points]}
        margin={CHART_MARGIN}
        accessibilityLayer={false}
        {...(syncId !== undefined && { syncId, syncMethod: "value" as const })}
      >
        <TimeAxes
          prepared={prepared}
          step={step}
          log={log}
          format={formatTick}
          events={events}
          partialFrom={partialFrom}
        />
        {prepared.columns.map(({ key, t, bottom, top }) => (
          <ReferenceArea
            key={`${key}:${t}`}
            x1={t - COLUMN_HALF * step}
            x2={t + COLUMN_HALF * step}
            y1={bottom}
            y2={top}
            fill={COLORS[key]}
            fillOpacity={0.62}
            ifOverflow="hidden"
          />
        ))}
        <Tooltip
          content={({ active, payload }) => (
            <LatencyTooltip active={active && brush.used} point={payload?.[0]?.payload} hidden={hidden} step={step} />
          )}
          cursor={{ stroke: "var(--line-strong)", strokeWidth: 1 }}
          isAnimationActive={false}
        />
        {shown
          .filter((series) => series.kind === "mean")
          .map((series) => (
            <Area
              key={series.key}
              dataKey={series.key}
              name={series.label}
              stackId="mean"
              type="linear"
              stroke={series.color}
              strokeWidth={1}
              fill={series.color}
              fillOpacity={0.62}
              isAnimationActive={false}
              connectNulls={false}
              activeDot={false}
              dot={false}
            />
          ))}
        {previous === undefined
          ? null
          : percentiles.map((series) => (
              <Line
                key={`earlier ${series.key}`}
                dataKey={(point: LatencyPoint) => previous.get(point.t)?.[percentileOf(series.key)] ?? null}
                name={`${series.label}, period before`}
                type="linear"
                stroke={series.color}
                strokeOpacity={0.35}
                strokeWidth={1.25}
                {...(series.dash === undefined ? {} : { strokeDasharray: series.dash })}
                isAnimationActive={false}
                connectNulls={false}
                dot={false}
                activeDot={false}
              />
            ))}
        {percentiles.map((series) => (
          <Line
            key={series.key}
            dataKey={series.key}
            name={series.label}
            type="linear"
            stroke={series.color}
            strokeWidth={series.width ?? 1.5}
            {...(series.dash === undefined ? {} : { strokeDasharray: series.dash })}
            strokeLinecap="round"
            isAnimationActive={false}
            connectNulls={false}
            dot={isolatedDots({ isolated: prepared.isolated, line: series.key, color: series.color })}
            activeDot={{ r: 3, fill: series.color, stroke: "var(--panel)" }}
          />
        ))}
        {brush.drawn}
        {keyboard.drawn}
      </ComposedChart>
    </ChartFigure>
  );
}

function percentileOf(key: SeriesKey): keyof EarlierPercentiles {
  return key === "p50" || key === "p95" ? key : "p99";
}
