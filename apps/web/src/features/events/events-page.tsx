"use client";

import { Badge, Banner, Button, Card, Message, Skeleton } from "@nereid/ui";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useQueryStates } from "nuqs";
import { type ReactNode, useMemo } from "react";
import { downloadText } from "../../lib/download-text.ts";
import { useTRPC } from "../../lib/trpc.tsx";
import { useHydrated } from "../../lib/use-hydrated.ts";
import { RangeBar } from "../latency/range-bar.tsx";
import { windowOf, zoomTo } from "../latency/time-window.ts";
import { useRange } from "../settings/preferences-context.tsx";
import { QueryError } from "../shell/query-error.tsx";
import { EventRows } from "./event-rows.tsx";
import { eventsFile } from "./events-file.ts";
import { EventsFilters } from "./events-filters.tsx";
import { histogramOf } from "./events-histogram.ts";
import { HistogramFigure } from "./histogram-figure.tsx";
import {
  EVENT_RANGE_SECONDS,
  EVENT_RANGES,
  eventsSearchParams,
  OWN_EVENT_RANGE,
  timelineInput,
} from "./search-params.ts";

const REFRESH_MS = 5_000;

/** What changed, and what happened, on one line of time. */
export function EventsPage() {
  const trpc = useTRPC();
  const [view, setView] = useQueryStates(eventsSearchParams);
  const range = useRange(view.range, EVENT_RANGE_SECONDS, OWN_EVENT_RANGE);
  const show = (from: number, to: number) => void setView({ from, to }, { history: "push" });
  const hydrated = useHydrated();
  const query = useQuery(
    trpc.events.timeline.queryOptions(timelineInput({ ...view, range }), {
      refetchInterval: REFRESH_MS,
      placeholderData: keepPreviousData,
    }),
  );
  const { data } = query;
  const histogram = useMemo(() => {
    if (data === undefined) return null;
    const first = data.events.at(-1)?.t ?? data.to;
    return histogramOf(data.events, { from: data.from ?? first, to: data.to });
  }, [data]);
  let content: ReactNode;
  if (data === undefined || !hydrated) {
    content =
      query.isError && data === undefined ? (
        <QueryError error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />
      ) : (
        <div role="status">
          <span className="sr-only">Loading the events</span>
          <Skeleton className="m-4 h-64" />
        </div>
      );
  } else if (data.events.length === 0) {
    content = (
      <Message kind="empty" title="Nothing happened that matches">
        Choose a longer range or fewer conditions. Loads and crashes that nobody asked for are known since the server’s
        last start.
      </Message>
    );
  } else {
    content = (
      <>
        {histogram === null ? null : (
          <HistogramFigure
            histogram={histogram}
            onZoom={(first, last) => {
              const { from, to } = zoomTo(first, last, histogram.widthSeconds);
              show(from, to);
            }}
          />
        )}
        <EventRows events={data.events} now={Math.max(data.to, Date.now() / 1000)} />
      </>
    );
  }
  return (
    <div className="space-y-4">
      <div>
        <h1 className="font-semibold text-xl tracking-tight">Events</h1>
        <p className="text-ink-soft">Deployments, changes, loads, crashes and alerts, on one line of time.</p>
      </div>
      <RangeBar
        ranges={EVENT_RANGES}
        window={windowOf({ ...view, range }, EVENT_RANGE_SECONDS)}
        shown={data === undefined ? null : { from: data.from ?? data.events.at(-1)?.t ?? data.to, to: data.to }}
        onRange={(next) => void setView({ range: next, from: null, to: null }, { history: "push" })}
        onFixed={show}
      />
      <EventsFilters />
      {query.isError && data !== undefined ? (
        <Banner tone="warn">
          <span className="mr-3">The events could not be read again; these are from before.</span>
          <Button size="small" busy={query.isFetching} onClick={() => void query.refetch()}>
            Try again
          </Button>
        </Banner>
      ) : null}
      {(data?.silent ?? []).map(({ node, problem }) => (
        <Banner key={node} tone="warn">
          {node} does not answer, so what it did by itself is missing: {problem}
        </Banner>
      ))}
      <Card
        flush
        title={
          <span className="inline-flex items-center gap-2.5">
            Line of time
            {data === undefined || query.isError ? null : <Badge tone="ok">Live</Badge>}
          </span>
        }
        hint={data === undefined ? "" : countWords(data.events.length, data.more)}
        actions={
          <Button
            size="small"
            className="h-8"
            disabled={data === undefined || data.events.length === 0}
            onClick={() => downloadText("nereid-events.csv", "text/csv", eventsFile(data?.events ?? []))}
          >
            <Download aria-hidden />
            CSV
          </Button>
        }
      >
        {content}
      </Card>
    </div>
  );
}

function countWords(count: number, more: boolean): string {
  const words = `${count} ${count === 1 ? "event" : "events"}`;
  return more ? `${words}, the newest; there are more. Choose a shorter range.` : words;
}
