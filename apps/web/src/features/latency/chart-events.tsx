"use client";

import type { ModelEvent } from "@nereid/services";
import type { ChartEvent } from "@nereid/ui/charts";
import { useQuery } from "@tanstack/react-query";
import Link from "../../lib/link.tsx";
import { useTRPC } from "../../lib/trpc.tsx";
import { useHydrated } from "../../lib/use-hydrated.ts";
import { LocalTime } from "../audit/local-time.tsx";
import { eventLinks } from "../events/event-links.ts";
import { KIND_LOOKS } from "../events/kind-looks.ts";

const REFRESH_MS = 10_000;

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
  return events.map(({ t, kind, label }) => ({ t, label, mark: KIND_LOOKS[kind].mark }));
}

const SHOWN = 8;
/** The links that lead on from a chart; the charts of that moment are already there. */
const USEFUL = new Set(["What changed", "Before and after", "Alerts"]);

/** The marks of the chart in words, and where each leads. */
export function EventLegend({ events }: { readonly events: readonly ModelEvent[] }) {
  const hydrated = useHydrated();
  if (events.length === 0) return null;
  return (
    <ul aria-label="Changes in this range" className="space-y-0.5 text-[0.857rem] text-ink-soft">
      {events.slice(0, SHOWN).map((event) => (
        <li key={event.id} className="flex flex-wrap items-center gap-x-3">
          <span className="[overflow-wrap:anywhere]">
            <span className="font-mono font-semibold text-ink">{KIND_LOOKS[event.kind].mark}</span> {event.label},{" "}
            {event.actorName}, <LocalTime at={new Date(event.t * 1000)} relative />
          </span>
          {(hydrated ? eventLinks(event, Date.now() / 1000) : [])
            .filter(({ label }) => USEFUL.has(label))
            .map(({ label, href }) => (
              <Link
                key={label}
                href={href}
                aria-label={`${label}: ${event.label}`}
                className="inline-flex min-h-[24px] items-center rounded-sm text-accent underline underline-offset-2"
              >
                {label}
              </Link>
            ))}
        </li>
      ))}
      {events.length > SHOWN ? <li>and {events.length - SHOWN} more</li> : null}
    </ul>
  );
}
