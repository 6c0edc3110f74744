import { formatDateTime } from "@nereid/ui";
import type { Histogram } from "./events-histogram.ts";

/** How many events there were when; trouble has its colour. */
export function HistogramFigure({ histogram }: { readonly histogram: Histogram }) {
  const { bins, largest, summary, widthSeconds } = histogram;
  const first = bins[0]?.from ?? 0;
  const end = (bins.at(-1)?.from ?? 0) + widthSeconds;
  return (
    <figure className="border-b px-4 pt-3 pb-2">
      <figcaption className="sr-only">{summary}</figcaption>
      <div aria-hidden className="flex h-14 items-end gap-px border-b">
        {bins.map(({ from, events, trouble }) => (
          <div
            key={from}
            className="flex min-w-0 flex-1 flex-col justify-end overflow-hidden rounded-t-sm"
            style={{ height: `${(events / largest) * 100}%` }}
            title={`${formatDateTime(new Date(from * 1000))}: ${events} ${events === 1 ? "event" : "events"}`}
          >
            <div className="bg-bad" style={{ flexGrow: trouble }} />
            <div className="bg-accent" style={{ flexGrow: events - trouble }} />
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
