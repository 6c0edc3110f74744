import { cn, formatDateTime } from "@nereid/ui";
import { type PointerEvent, useState } from "react";
import type { Histogram } from "./events-histogram.ts";

export interface HistogramFigureProps {
  readonly histogram: Histogram;
  /** A stretch was drawn: the Unix seconds at which its first and last bin begin. */
  readonly onZoom: (first: number, last: number) => void;
}

/**
 * How many events there were when; trouble has its colour. Drawing over it, with a mouse or a finger, zooms into a stretch; from the
 * keyboard the typed range does the same.
 */
export function HistogramFigure({ histogram, onZoom }: HistogramFigureProps) {
  const { bins, largest, summary, widthSeconds } = histogram;
  const [drawn, setDrawn] = useState<{ readonly start: number; readonly end: number }>();
  const first = bins[0]?.from ?? 0;
  const end = (bins.at(-1)?.from ?? 0) + widthSeconds;
  const binAt = ({ clientX, currentTarget }: PointerEvent<HTMLElement>) => {
    const box = currentTarget.getBoundingClientRect();
    const at = Math.floor(((clientX - box.left) / box.width) * bins.length);
    return bins[Math.min(bins.length - 1, Math.max(0, at))]?.from ?? first;
  };
  const [low, high] =
    drawn === undefined ? [1, 0] : [Math.min(drawn.start, drawn.end), Math.max(drawn.start, drawn.end)];
  return (
    <figure className="select-none border-b px-4 pt-3 pb-2">
      <figcaption className="sr-only">{summary}</figcaption>
      <div
        aria-hidden
        data-testid="events-histogram"
        className="flex h-14 cursor-crosshair touch-pan-y items-end gap-px border-b"
        onPointerDown={(event) => {
          if (event.button !== 0) return;
          event.currentTarget.setPointerCapture(event.pointerId);
          const at = binAt(event);
          setDrawn({ start: at, end: at });
        }}
        onPointerMove={(event) => {
          if (drawn !== undefined) setDrawn({ ...drawn, end: binAt(event) });
        }}
        onPointerUp={() => {
          setDrawn(undefined);
          if (drawn !== undefined && drawn.start !== drawn.end) onZoom(low, high);
        }}
        // A finger that scrolls the page after all.
        onPointerCancel={() => setDrawn(undefined)}
      >
        {bins.map(({ from, events, trouble }) => (
          <div
            key={from}
            className={cn(
              "flex h-full min-w-0 flex-1 flex-col justify-end",
              from >= low && from <= high && low !== high && "bg-accent/20",
            )}
            title={`${formatDateTime(new Date(from * 1000))}: ${events} ${events === 1 ? "event" : "events"}`}
          >
            <div
              className="flex flex-col justify-end overflow-hidden rounded-t-sm"
              style={{ height: `${(events / largest) * 100}%` }}
            >
              <div className="bg-bad" style={{ flexGrow: trouble }} />
              <div className="bg-accent" style={{ flexGrow: events - trouble }} />
            </div>
          </div>
        ))}
      </div>
      <div aria-hidden className="mt-1 flex justify-between gap-4 font-mono text-[0.786rem] text-ink-soft">
        <span>{formatDateTime(new Date(first * 1000))}</span>
        <span className="text-right">{formatDateTime(new Date(end * 1000))}</span>
      </div>
    </figure>
  );
}
