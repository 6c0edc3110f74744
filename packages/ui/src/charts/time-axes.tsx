import { useId } from "react";
import { CartesianGrid, ReferenceArea, ReferenceLine, XAxis, YAxis } from "recharts";
import { PLOT } from "./brush-place.ts";
import { GapPattern } from "./gap-pattern.tsx";
import type { Scale } from "./nice-scale.ts";
import { timeLabel } from "./time-words.ts";

/** Something that was done at a moment, drawn as a thin line with its letter. */
export interface ChartEvent {
  /** Unix seconds. */
  readonly t: number;
  readonly label: string;
  /** One or two letters at the top of the line. */
  readonly mark: string;
}

export interface TimeAxesProps {
  readonly prepared: {
    readonly from: number;
    readonly to: number;
    readonly timeTicks: readonly number[];
    readonly scale: Scale;
    readonly gaps: readonly { readonly from: number; readonly to: number }[];
  };
  /** Seconds of one point. */
  readonly step: number;
  readonly log?: boolean;
  readonly format: (value: number) => string;
  readonly events: readonly ChartEvent[];
  /** Beginning of the step that is still filling. */
  readonly partialFrom: number | null;
}

/** The margins of every chart over time; `useBrush` finds the place of the pointer by them. */
export const CHART_MARGIN = { top: 8, right: PLOT.right, bottom: 0, left: 0 };

const TICK = { fill: "var(--ink-soft)", fontSize: 11 };

/** What all charts over time have behind their lines: grid, axes, hatched gaps, the step still filling, events. */
export function TimeAxes({ prepared, step, log = false, format, events, partialFrom }: TimeAxesProps) {
  const gap = useId();
  const { from: start, to: end, scale } = prepared;
  return (
    <>
      <defs>
        <GapPattern id={gap} />
      </defs>
      <CartesianGrid stroke="var(--grid)" vertical={false} />
      <XAxis
        dataKey="t"
        type="number"
        domain={[start, end]}
        ticks={[...prepared.timeTicks]}
        tickFormatter={(t: number) => timeLabel(t, end - start)}
        tick={TICK}
        axisLine={{ stroke: "var(--line)" }}
        tickLine={false}
        minTickGap={24}
        allowDataOverflow
      />
      <YAxis
        domain={[scale.min ?? 0, scale.max]}
        scale={log ? "log" : "linear"}
        ticks={scale.ticks}
        tickFormatter={format}
        tick={TICK}
        axisLine={false}
        tickLine={false}
        width={PLOT.left}
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
    </>
  );
}
