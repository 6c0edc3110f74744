import type { FlightRecord } from "@nereid/client";
import { formatDuration } from "@nereid/ui";
import { partsOf } from "./request-story.ts";
import { PART_COLORS } from "./time-bar.tsx";

interface Bar {
  readonly label: string;
  readonly startNs: number;
  readonly ns: number;
  readonly color: string;
}

/** The pieces of a request's time below each other, on one axis; the steps of an ensemble below them. */
export function Waterfall({ record }: { readonly record: FlightRecord }) {
  const bars: Bar[] = [
    ...partsOf(record).map(({ kind, label, startNs, ns }) => ({ label, startNs, ns, color: PART_COLORS[kind] })),
    ...(record.steps ?? []).flatMap(({ model, startedNs, queueNs, computeNs }) => [
      { label: `${model}, queue`, startNs: startedNs, ns: queueNs, color: PART_COLORS.queue },
      { label: `${model}, compute`, startNs: startedNs + queueNs, ns: computeNs, color: PART_COLORS.infer },
    ]),
  ];
  const from = Math.min(0, ...bars.map(({ startNs }) => startNs));
  const to = Math.max(record.totalNs, ...bars.map(({ startNs, ns }) => startNs + ns));
  const percent = (ns: number) => (to === from ? 0 : (ns / (to - from)) * 100);
  return (
    <dl className="space-y-1">
      {bars.map(({ label, startNs, ns, color }) => (
        <div
          key={`${label} ${startNs}`}
          className="grid grid-cols-[8.5rem_1fr_4.5rem] items-center gap-2 text-[0.857rem]"
        >
          <dt className="truncate text-ink-soft" title={label}>
            {label}
          </dt>
          <dd aria-hidden className="relative h-3.5 rounded-sm bg-raised">
            <span
              className="absolute inset-y-0 min-w-[2px] rounded-sm"
              style={{ left: `${percent(startNs - from)}%`, width: `${percent(ns)}%`, background: color }}
            />
          </dd>
          <dd className="text-right font-mono">{formatDuration(ns / 1e6)}</dd>
        </div>
      ))}
    </dl>
  );
}
