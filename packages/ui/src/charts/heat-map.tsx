"use client";

import { type PointerEvent, useState } from "react";
import { formatDuration } from "../format/format-duration.ts";
import { formatNumber } from "../format/format-number.ts";
import { binStartMs, type HeatPlace, movedInHeat, type PreparedHeat } from "./prepare-heat.ts";
import type { ChartEvent } from "./time-axes.tsx";
import { stepLabel, timeLabel } from "./time-words.ts";

export interface HeatMapProps {
  readonly prepared: PreparedHeat;
  /** What a screen reader hears of it. */
  readonly summary: string;
  readonly events?: readonly ChartEvent[];
  /** A cell was clicked, or Enter was pressed on it. */
  readonly onPick?: (place: HeatPlace) => void;
}

/** Latencies over time: the more requests a cell has, the stronger its colour. Arrow keys walk, Enter picks. */
export function HeatMap({ prepared, summary, events = [], onPick }: HeatMapProps) {
  const [place, setPlace] = useState<HeatPlace | null>(null);
  const { from, to, step, lowest, beyond } = prepared;
  const columns = (to - from) / step;
  const rows = beyond - lowest;
  const x = (t: number) => (t - from) / step;
  const shown = place !== null && place.t >= from && place.t < to ? place : null;
  const requests = shown && (prepared.cells.find(({ t, bin }) => t === shown.t && bin === shown.bin)?.requests ?? 0);
  const placeOf = (event: PointerEvent<SVGSVGElement>): HeatPlace => {
    const box = event.currentTarget.getBoundingClientRect();
    const column = Math.min(columns - 1, Math.max(0, Math.floor(((event.clientX - box.left) / box.width) * columns)));
    const row = Math.min(rows - 1, Math.max(0, Math.floor(((event.clientY - box.top) / box.height) * rows)));
    return { t: from + column * step, bin: beyond - 1 - row };
  };
  return (
    <figure className="select-none">
      <figcaption className="sr-only">{summary}</figcaption>
      <div className="flex">
        <div aria-hidden className="relative h-44 w-[62px] shrink-0 text-[11px] text-ink-soft">
          {prepared.latencyTicks.map(({ bin, label }) => (
            <span
              key={bin}
              className="absolute right-2 -translate-y-1/2 whitespace-nowrap"
              style={{ top: `${((beyond - bin) / rows) * 100}%` }}
            >
              {label}
            </span>
          ))}
        </div>
        <div className="min-w-0 grow pr-3">
          <div
            role="application"
            aria-label="Heat map of latencies. Arrow keys walk through it, Enter shows the requests of a cell."
            // biome-ignore lint/a11y/noNoninteractiveTabindex: the keys need the focus
            tabIndex={0}
            className="h-44 rounded-sm"
            onKeyDown={(event) => {
              const start = shown ?? { t: to - step, bin: lowest };
              const next =
                shown === null && event.key.startsWith("Arrow") ? start : movedInHeat(start, event.key, prepared);
              if (next !== null) setPlace(next);
              if (event.key === "Enter" && shown !== null) onPick?.(shown);
              if (next !== null || event.key === "Enter") event.preventDefault();
            }}
          >
            <svg
              aria-hidden="true"
              viewBox={`0 0 ${columns} ${rows}`}
              preserveAspectRatio="none"
              className="h-full w-full cursor-pointer border-line border-b border-l"
              onPointerMove={(event) => setPlace(placeOf(event))}
              onPointerLeave={() => setPlace(null)}
              onClick={() => {
                if (shown !== null) onPick?.(shown);
              }}
            >
              {prepared.cells.map(({ t, bin, shade }) => (
                <rect
                  key={`${t} ${bin}`}
                  x={x(t)}
                  y={beyond - 1 - bin}
                  width={1}
                  height={1}
                  fill="var(--series-infer)"
                  fillOpacity={shade}
                />
              ))}
              {events
                .filter(({ t }) => t >= from && t < to)
                .map(({ t, label }) => (
                  <line
                    key={`${t} ${label}`}
                    x1={x(t)}
                    x2={x(t)}
                    y1={0}
                    y2={rows}
                    stroke="var(--ink-soft)"
                    strokeDasharray="2 3"
                    vectorEffect="non-scaling-stroke"
                  />
                ))}
              {shown === null ? null : (
                <rect
                  x={x(shown.t)}
                  y={beyond - 1 - shown.bin}
                  width={1}
                  height={1}
                  fill="none"
                  stroke="var(--ink)"
                  strokeWidth={1.5}
                  vectorEffect="non-scaling-stroke"
                />
              )}
            </svg>
          </div>
          <div aria-hidden className="relative h-5 text-[11px] text-ink-soft">
            {prepared.timeTicks.map((t) => (
              <span
                key={t}
                className="absolute top-1 -translate-x-1/2 whitespace-nowrap"
                style={{ left: `${Math.min(95, Math.max(5, (x(t) / columns) * 100))}%` }}
              >
                {timeLabel(t, to - from)}
              </span>
            ))}
          </div>
        </div>
      </div>
      <p aria-live="polite" className="min-h-[1.5em] px-3 pt-1 text-[0.857rem] text-ink-soft">
        {shown === null
          ? `The strongest colour is ${formatNumber(prepared.most)} requests.`
          : `${stepLabel(shown.t, step)}, ${formatDuration(binStartMs(shown.bin))} to ${formatDuration(binStartMs(shown.bin + 1))}: ${formatNumber(requests ?? 0)} requests`}
      </p>
    </figure>
  );
}
