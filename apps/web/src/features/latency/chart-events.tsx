"use client";

import type { ModelEvent } from "@nereid/services";
import type { ChartEvent } from "@nereid/ui/charts";
import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "../../lib/trpc.tsx";
import { LocalTime } from "../audit/local-time.tsx";

const REFRESH_MS = 10_000;

const MARKS: Readonly<Record<ModelEvent["kind"], string>> = {
  deploy: "D",
  config: "C",
  load: "L",
  unload: "U",
  rollback: "R",
  restart: "!",
  delete: "X",
};

/** What was done to a model in the range that a chart shows. */
export function useChartEvents(model: string, range: { readonly from: number; readonly to: number } | null) {
  const trpc = useTRPC();
  const query = useQuery(
    trpc.events.list.queryOptions({ model, limit: 200 }, { refetchInterval: REFRESH_MS, retry: false }),
  );
  if (range === null) return [];
  return (query.data ?? []).filter(({ t }) => t >= range.from && t <= range.to);
}

export function chartEventsOf(events: readonly ModelEvent[]): readonly ChartEvent[] {
  return events.map(({ t, kind, label }) => ({ t, label, mark: MARKS[kind] }));
}

/** The marks of the chart in words. */
export function EventLegend({ events }: { readonly events: readonly ModelEvent[] }) {
  if (events.length === 0) return null;
  return (
    <ul aria-label="Changes in this range" className="flex flex-wrap gap-x-4 gap-y-1 text-[0.857rem] text-ink-soft">
      {events.slice(0, 8).map((event) => (
        <li key={`${event.auditId ?? ""} ${event.t}`}>
          <span className="font-mono font-semibold text-ink">{MARKS[event.kind]}</span> {event.label}, {event.actorName}
          , <LocalTime at={new Date(event.t * 1000)} relative />
        </li>
      ))}
      {events.length > 8 ? <li>and {events.length - 8} more</li> : null}
    </ul>
  );
}
