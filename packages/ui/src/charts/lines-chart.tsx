"use client";

import { useId } from "react";
import {
  CartesianGrid,
  Line,
  LineChart,
  ReferenceArea,
  ReferenceLine,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from "recharts";
import { GapPattern } from "./gap-pattern.tsx";
import type { ChartEvent } from "./latency-chart.tsx";
import type { LineLook, LinePoint, PreparedLines } from "./prepare-lines.ts";
import { stepLabel, timeLabel } from "./time-words.ts";
import { ActivePoint, type BrushUse, useBrush } from "./use-brush.tsx";

export interface LinesChartProps extends BrushUse {
  readonly prepared: PreparedLines;
  readonly lines: readonly LineLook[];
  readonly events?: readonly ChartEvent[];
  /** What a screen reader hears of the drawing. */
  readonly summary: string;
  readonly format: (value: number | null) => string;
  /** Charts of the same id show one crosshair. */
  readonly syncId?: string;
  /** Beginning of the step that is still filling. */
  readonly partialFrom?: number | null;
}

const TICK = { fill: "var(--ink-soft)", fontSize: 11 };

interface DotProps {
  readonly cx?: number;
  readonly cy?: number;
  readonly payload?: { readonly t: number };
}

/** Lines over time. Draws what prepareLines decided. */
export function LinesChart(props: LinesChartProps) {
  const { prepared, lines, events = [], summary, format, syncId, partialFrom = null } = props;
  const gap = useId();
  const brush = useBrush(props);
  const range = prepared.to - prepared.from;
  return (
    <figure className="h-52 w-full select-none" {...brush.figure}>
      <figcaption className="sr-only">{summary}</figcaption>
      <ResponsiveContainer width="100%" height="100%" initialDimension={{ width: 600, height: 208 }}>
        <LineChart
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
            domain={[0, prepared.scale.max]}
            ticks={prepared.scale.ticks}
            tickFormatter={(value: number) => format(value)}
            tick={TICK}
            axisLine={false}
            tickLine={false}
            width={62}
            allowDataOverflow
          />
          {prepared.gaps.map(({ from, to }) => (
            <ReferenceArea
              key={from}
              x1={from - prepared.step}
              x2={to + prepared.step}
              fill={`url(#${gap})`}
              fillOpacity={1}
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
                <LinesTooltip
                  active={active && brush.used}
                  point={payload?.[0]?.payload}
                  lines={lines}
                  format={format}
                  step={prepared.step}
                />
              </>
            )}
            cursor={{ stroke: "var(--line-strong)", strokeWidth: 1 }}
            isAnimationActive={false}
          />
          {lines.map((line) => (
            <Line
              key={line.key}
              dataKey={(point: LinePoint) => point.values[line.key] ?? null}
              name={line.label}
              type="linear"
              stroke={line.color}
              strokeWidth={1.5}
              strokeOpacity={line.faint === true ? 0.4 : 1}
              {...(line.dash !== undefined && { strokeDasharray: line.dash })}
              isAnimationActive={false}
              connectNulls={false}
              dot={({ cx, cy, payload }: DotProps) => {
                const key = `${line.key}:${payload?.t ?? 0}`;
                if (!prepared.isolated.has(key)) return <g key={key} />;
                return <circle key={key} cx={cx} cy={cy} r={2} fill={line.color} />;
              }}
              activeDot={{ r: 3, fill: line.color, stroke: "var(--panel)" }}
            />
          ))}
          {brush.drawn}
        </LineChart>
      </ResponsiveContainer>
    </figure>
  );
}

interface LinesTooltipProps {
  readonly active: boolean;
  readonly point: LinePoint | undefined;
  readonly lines: readonly LineLook[];
  readonly format: (value: number | null) => string;
  readonly step: number;
}

function LinesTooltip({ active, point, lines, format, step }: LinesTooltipProps) {
  if (!active || point === undefined) return null;
  return (
    <div className="min-w-44 rounded-md border bg-panel px-3 py-2 text-[0.857rem] text-ink shadow-xl">
      <p className="mb-1 font-medium font-mono">{stepLabel(point.t, step)}</p>
      {point.missing ? (
        <p className="text-ink-soft">No data</p>
      ) : (
        <dl className="grid grid-cols-[auto_1fr_auto] items-center gap-x-2 gap-y-0.5">
          {lines.map((line) => (
            <div key={line.key} className="contents">
              <LineSwatch line={line} />
              <dt>{line.label}</dt>
              <dd className="text-right font-mono">{format(point.values[line.key] ?? null)}</dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  );
}

/** A piece of the line, for legends and tooltips. */
export function LineSwatch({ line }: { readonly line: LineLook }) {
  return (
    <svg aria-hidden="true" viewBox="0 0 18 10" className="h-2.5 w-4.5 shrink-0">
      <line
        x1="1"
        x2="17"
        y1="5"
        y2="5"
        stroke={line.color}
        strokeOpacity={line.faint === true ? 0.45 : 1}
        strokeWidth="2"
        strokeLinecap="round"
        strokeDasharray={line.dash}
      />
    </svg>
  );
}

/** What the lines of a chart are. */
export function LinesLegend({ lines }: { readonly lines: readonly LineLook[] }) {
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 text-[0.857rem]">
      {lines.map((line) => (
        <li key={line.key} className="inline-flex items-center gap-1.5">
          <LineSwatch line={line} />
          {line.label}
        </li>
      ))}
    </ul>
  );
}
