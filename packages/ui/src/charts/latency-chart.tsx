"use client";

import { useId } from "react";
import {
  Area,
  CartesianGrid,
  ComposedChart,
  Line,
  ReferenceArea,
  ReferenceLine,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from "recharts";
import { formatTick } from "../format/format-duration.ts";
import { GapPattern } from "./gap-pattern.tsx";
import { LATENCY_SERIES, type LatencyPoint, type SeriesKey, type SeriesLook } from "./latency-series.ts";
import { LatencyTooltip } from "./latency-tooltip.tsx";
import type { PreparedLatency } from "./prepare-latency.ts";
import { timeLabel } from "./time-words.ts";
import { ActivePoint, type BrushUse, useBrush } from "./use-brush.tsx";

/** Something that was done at a moment, drawn as a thin line with its letter. */
export interface ChartEvent {
  /** Unix seconds. */
  readonly t: number;
  readonly label: string;
  /** One or two letters at the top of the line. */
  readonly mark: string;
}

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

const TICK = { fill: "var(--ink-soft)", fontSize: 11 };

/** Half the width of a lonely second's column, in seconds. */
const COLUMN_HALF = 0.35;

const COLORS = Object.fromEntries(LATENCY_SERIES.map(({ key, color }) => [key, color])) as Record<SeriesKey, string>;

interface DotProps {
  readonly cx?: number;
  readonly cy?: number;
  readonly payload?: { readonly t: number };
}

/** Stacked means under percentile lines. Draws what prepareLatency decided. */
export function LatencyChart(props: LatencyChartProps) {
  const { prepared, summary, events = [], step = 1, previous, log = false, syncId, partialFrom = null } = props;
  const { hidden } = prepared;
  const gap = useId();
  const brush = useBrush(props);
  const range = prepared.to - prepared.from;
  const shown = LATENCY_SERIES.filter((series) => !hidden.has(series.key));
  const percentiles = shown.filter((series) => series.kind === "percentile");
  const dotOf = (series: SeriesLook) => {
    return function IsolatedDot({ cx, cy, payload }: DotProps) {
      const key = `${series.key}:${payload?.t ?? 0}`;
      return prepared.isolated.has(key) ? (
        <circle key={key} cx={cx} cy={cy} r={2} fill={series.color} />
      ) : (
        <g key={key} />
      );
    };
  };
  return (
    <figure className="h-80 w-full select-none" {...brush.figure}>
      <figcaption className="sr-only">{summary}</figcaption>
      <ResponsiveContainer width="100%" height="100%" initialDimension={{ width: 800, height: 320 }}>
        <ComposedChart
          data={[...prepared.points]}
          margin={{ top: 8, right: 12, bottom: 0, left: 0 }}
          accessibilityLayer
          {...(syncId !== undefined && { syncId, syncMethod: "value" as const })}
          {...brush.handlers}
        >
          <defs>
            <GapPattern id={gap} />
          </defs>
          <CartesianGrid stroke="var(--grid)" vertical={false} />
          <XAxis
            dataKey="t"
            type="number"
            domain={[prepared.from, prepared.to]}
            ticks={[...prepared.timeTicks]}
            tickFormatter={(t: number) => timeLabel(t, range)}
            tick={TICK}
            axisLine={{ stroke: "var(--line)" }}
            tickLine={false}
            minTickGap={24}
            allowDataOverflow
          />
          <YAxis
            domain={[prepared.scale.min ?? 0, prepared.scale.max]}
            scale={log ? "log" : "linear"}
            ticks={prepared.scale.ticks}
            tickFormatter={formatTick}
            tick={TICK}
            axisLine={false}
            tickLine={false}
            width={62}
            allowDataOverflow
          />
          {prepared.gaps.map(({ from, to }) => (
            <ReferenceArea
              key={from}
              x1={from - step}
              x2={to + step}
              fill={`url(#${gap})`}
              fillOpacity={1}
              ifOverflow="hidden"
            />
          ))}
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
          {partialFrom === null ? null : (
            <ReferenceLine x={partialFrom} stroke="var(--line-strong)" strokeDasharray="1 3" ifOverflow="hidden" />
          )}
          {events.map((event) => (
            <ReferenceLine
              key={`${event.t} ${event.label}`}
              x={event.t}
              stroke="var(--ink-soft)"
              strokeDasharray="2 3"
              ifOverflow="hidden"
              label={{ value: event.mark, position: "insideTopRight", fill: "var(--ink-soft)", fontSize: 10 }}
            />
          ))}
          <Tooltip
            content={({ active, payload }) => (
              <>
                <ActivePoint t={active ? payload?.[0]?.payload?.t : undefined} onActive={brush.onActive} />
                <LatencyTooltip
                  active={active && brush.used}
                  point={payload?.[0]?.payload}
                  hidden={hidden}
                  step={step}
                />
              </>
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
              dot={dotOf(series)}
              activeDot={{ r: 3, fill: series.color, stroke: "var(--panel)" }}
            />
          ))}
          {brush.drawn}
        </ComposedChart>
      </ResponsiveContainer>
    </figure>
  );
}

function percentileOf(key: SeriesKey): keyof EarlierPercentiles {
  return key === "p50" || key === "p95" ? key : "p99";
}
