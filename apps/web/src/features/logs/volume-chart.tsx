import { cn, formatClock } from "@nereid/ui";
import type { Volume } from "./volume.ts";

/** Lines over time; warnings and errors have their colours. */
export function VolumeChart({ volume }: { readonly volume: Volume }) {
  const first = volume.bins[0]?.fromMs ?? 0;
  const last = volume.bins.at(-1)?.fromMs ?? 0;
  return (
    <figure className="border-b px-4 pt-3 pb-2">
      <figcaption className="sr-only">{volume.summary}</figcaption>
      <div aria-hidden className="flex h-12 items-end gap-px">
        {volume.bins.map(({ fromMs, lines, warn, error }) => (
          <div
            key={fromMs}
            className="flex min-w-0 max-w-6 flex-1 flex-col justify-end overflow-hidden rounded-t-sm"
            style={{ height: `${(lines / volume.largest) * 100}%` }}
            title={`${formatClock(fromMs / 1000)}: ${lines} lines`}
          >
            <div className={cn(error > 0 && "bg-bad")} style={{ flexGrow: error }} />
            <div className={cn(warn > 0 && "bg-warn")} style={{ flexGrow: warn }} />
            <div className="bg-line-strong" style={{ flexGrow: lines - warn - error }} />
          </div>
        ))}
      </div>
      <div aria-hidden className="mt-1 flex justify-between font-mono text-[0.786rem] text-ink-soft">
        <span>{formatClock(first / 1000)}</span>
        <span>{formatClock((last + volume.widthMs) / 1000)}</span>
      </div>
    </figure>
  );
}
