"use client";

import { type PointerEvent, useRef, useState } from "react";
import { cn } from "../cn.ts";
import { formatDuration, formatTick } from "../format/format-duration.ts";
import { formatNumber } from "../format/format-number.ts";
import { latencyAt, latencyPlace, movedLimit, type PlacedPoint, type PreparedFrontier } from "./prepare-frontier.ts";

export interface FrontierChartProps {
  readonly prepared: PreparedFrontier;
  /** What a screen reader hears of it. */
  readonly summary: string;
  /** Where the line of the limit stands; null = there is none. */
  readonly limitMs: number | null;
  readonly onLimit: (limitMs: number) => void;
  /** The point that is best under the limit. */
  readonly best: string | null;
  /** The point that stands for what is served now. */
  readonly present: string | null;
  readonly labelOf: (id: string) => string;
  readonly onPick: (id: string) => void;
}

/** Throughput against latency, the front of what cannot be beaten, and a limit that is moved by pointer or arrow keys. */
export function FrontierChart(props: FrontierChartProps) {
  const { prepared, summary, limitMs, onLimit, best, present, labelOf, onPick } = props;
  const plot = useRef<HTMLDivElement>(null);
  const [shown, setShown] = useState<PlacedPoint | null>(null);
  const { points, front, throughput, latency } = prepared;
  const path = front.map(({ x, y }) => `${1000 * x},${1000 * y}`).join(" ");
  const limitAt = (event: PointerEvent) => {
    const box = plot.current?.getBoundingClientRect();
    if (box !== undefined) onLimit(latencyAt(latency, (event.clientY - box.top) / box.height));
  };
  return (
    <figure className="select-none">
      <figcaption className="sr-only">{summary}</figcaption>
      <div className="flex">
        <div aria-hidden className="relative h-72 w-[62px] shrink-0 text-[11px] text-ink-soft">
          {latency.ticks.map((ms) => (
            <span
              key={ms}
              className="absolute right-2 -translate-y-1/2 whitespace-nowrap"
              style={{ top: `${100 * latencyPlace(latency, ms)}%` }}
            >
              {formatTick(ms)}
            </span>
          ))}
        </div>
        <div ref={plot} className="relative h-72 min-w-0 grow border-line border-b border-l">
          <svg
            aria-hidden="true"
            viewBox="0 0 1000 1000"
            preserveAspectRatio="none"
            className="absolute inset-0 h-full w-full"
          >
            {latency.ticks.map((ms) => (
              <line
                key={ms}
                x1="0"
                x2="1000"
                y1={1000 * latencyPlace(latency, ms)}
                y2={1000 * latencyPlace(latency, ms)}
                stroke="var(--line)"
                vectorEffect="non-scaling-stroke"
              />
            ))}
            <polyline
              points={path}
              fill="none"
              stroke="var(--series-infer)"
              strokeWidth="1.5"
              vectorEffect="non-scaling-stroke"
            />
          </svg>
          {points.map((point) => (
            <Dot
              key={point.id}
              point={point}
              isBest={point.id === best}
              isPresent={point.id === present}
              isShown={point.id === shown?.id}
              onShow={setShown}
              onPick={onPick}
            />
          ))}
          {limitMs === null ? null : (
            <div
              role="slider"
              tabIndex={0}
              aria-label="Limit of latency in milliseconds"
              aria-orientation="vertical"
              aria-valuemin={latency.min ?? 0}
              aria-valuemax={latency.max}
              aria-valuenow={limitMs}
              aria-valuetext={formatDuration(limitMs)}
              className="absolute inset-x-0 flex h-6 -translate-y-1/2 cursor-ns-resize touch-none items-center rounded-sm"
              style={{ top: `${100 * latencyPlace(latency, limitMs)}%` }}
              onKeyDown={(event) => {
                const moved = movedLimit(limitMs, event.key, latency);
                if (moved === null) return;
                event.preventDefault();
                onLimit(moved);
              }}
              onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
              onPointerMove={(event) => {
                if (event.currentTarget.hasPointerCapture(event.pointerId)) limitAt(event);
              }}
            >
              <span className="h-0 w-full border-warn border-t-2 border-dashed" />
              <span className="absolute right-1 bottom-full rounded-sm bg-panel px-1 font-mono text-[11px] text-warn">
                {formatDuration(limitMs)}
              </span>
            </div>
          )}
        </div>
      </div>
      <div aria-hidden className="relative mt-1 ml-[62px] h-4 text-[11px] text-ink-soft">
        {throughput.ticks.map((value, place) => (
          <span
            key={value}
            className={cn(
              "absolute whitespace-nowrap",
              place === 0 ? "" : value === throughput.max ? "-translate-x-full" : "-translate-x-1/2",
            )}
            style={{ left: `${(100 * value) / throughput.max}%` }}
          >
            {formatNumber(value)}
          </span>
        ))}
      </div>
      <p aria-live="polite" className="mt-1 min-h-[1.5em] text-[0.857rem] text-ink-soft [overflow-wrap:anywhere]">
        {shown === null
          ? "Answers a second from left to right, 99th percentile from below."
          : `${labelOf(shown.id)}: ${formatNumber(Math.round(shown.throughput))} a second, p99 ${formatDuration(shown.p99Ms)}${shown.measured ? "" : ", simulated"}`}
      </p>
    </figure>
  );
}

interface DotProps {
  readonly point: PlacedPoint;
  readonly isBest: boolean;
  readonly isPresent: boolean;
  readonly isShown: boolean;
  readonly onShow: (point: PlacedPoint | null) => void;
  readonly onPick: (id: string) => void;
}

/** Measured ones are full, simulated ones rings; the best has a ring around it, and what is served is a square. For the pointer: the table has all of it for the keyboard. */
function Dot({ point, isBest, isPresent, isShown, onShow, onPick }: DotProps) {
  return (
    <span
      aria-hidden
      className="absolute grid size-4 -translate-x-1/2 -translate-y-1/2 cursor-pointer place-items-center"
      style={{ left: `${100 * point.x}%`, top: `${100 * point.y}%` }}
      onPointerEnter={() => onShow(point)}
      onPointerLeave={() => onShow(null)}
      onClick={() => onPick(point.id)}
    >
      <span
        className={cn(
          "size-2 border",
          isPresent ? "rounded-none" : "rounded-full",
          point.measured ? "border-transparent bg-[var(--series-infer)]" : "border-[var(--series-queue)]",
          isBest && "outline-2 outline-accent outline-offset-2",
          isShown && "scale-150",
        )}
      />
    </span>
  );
}
