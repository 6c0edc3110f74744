"use client";

import { Line, LineChart, Tooltip } from "recharts";
import { ChartFigure } from "./chart-figure.tsx";
import { isolatedDots } from "./isolated-dots.tsx";
import { PointTooltip } from "./point-tooltip.tsx";
import type { LineLook, LinePoint, PreparedLines } from "./prepare-lines.ts";
import { CHART_MARGIN, type ChartEvent, TimeAxes } from "./time-axes.tsx";
import { type BrushUse, useBrush } from "./use-brush.tsx";
import { useKeyCursor } from "./use-key-cursor.tsx";

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

/** Lines over time. Draws what prepareLines decided. */
export function LinesChart(props: LinesChartProps) {
  const { prepared, lines, events = [], summary, format, syncId, partialFrom = null } = props;
  const { from, to, points } = prepared;
  const brush = useBrush(props, { from, to, origin: points[0]?.t ?? from, step: prepared.step });
  const keyboard = useKeyCursor({ summary, times: points.map(({ t }) => t), onPick: props.onPick });
  return (
    <ChartFigure
      summary={summary}
      brush={brush}
      keyboard={keyboard}
      height="h-52"
      before={{ width: 600, height: 208 }}
      reading={
        <LinesTooltip
          active
          point={points.find(({ t }) => t === keyboard.cursor)}
          lines={lines}
          format={format}
          step={prepared.step}
        />
      }
    >
      <LineChart
        data={[...prepared.points]}
        margin={CHART_MARGIN}
        accessibilityLayer={false}
        {...(syncId !== undefined && { syncId, syncMethod: "value" as const })}
      >
        <TimeAxes prepared={prepared} step={prepared.step} format={format} events={events} partialFrom={partialFrom} />
        <Tooltip
          content={({ active, payload }) => (
            <LinesTooltip
              active={active && brush.used}
              point={payload?.[0]?.payload}
              lines={lines}
              format={format}
              step={prepared.step}
            />
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
            dot={isolatedDots({ isolated: prepared.isolated, line: line.key, color: line.color })}
            activeDot={{ r: 3, fill: line.color, stroke: "var(--panel)" }}
          />
        ))}
        {brush.drawn}
        {keyboard.drawn}
      </LineChart>
    </ChartFigure>
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
    <PointTooltip
      t={point.t}
      step={step}
      {...(point.missing && { note: "No data" })}
      rows={(point.missing ? [] : lines).map((line) => ({
        key: line.key,
        swatch: <LineSwatch line={line} />,
        label: line.label,
        value: format(point.values[line.key] ?? null),
      }))}
    />
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
