"use client";

import type { LatencyRow } from "@nereid/services";
import { Badge, Button, Card, formatClock, formatDuration, Message, Skeleton, ToggleGroup } from "@nereid/ui";
import { LatencyChart, LatencyLegend, LatencyTable, prepareLatency, type SeriesKey } from "@nereid/ui/charts";
import { ChartArea, Pause, Play, Table2 } from "lucide-react";
import { useQueryStates } from "nuqs";
import { type ReactNode, useMemo, useState } from "react";
import { useHydrated } from "../../lib/use-hydrated.ts";
import { useRange } from "../settings/preferences-context.tsx";
import { QueryError } from "../shell/query-error.tsx";
import { chartEventsOf, EventLegend, useChartEvents } from "./chart-events.tsx";
import { chartSummary } from "./chart-summary.ts";
import { modelSearchParams, OWN_RANGE, RANGE_SECONDS, RANGES } from "./search-params.ts";
import type { LiveLatency } from "./use-live-latency.ts";

const FIT_OPTIONS = [
  { value: "all", label: "All" },
  { value: "means", label: "Means" },
] as const;

const RANGE_OPTIONS = RANGES.map((value) => ({ value, label: value }));

/** Where the time of the requests goes, second by second. */
export function LatencyCard({ live, model }: { readonly live: LiveLatency; readonly model: string }) {
  const [params, setParams] = useQueryStates(modelSearchParams);
  const range = useRange(params.range, RANGE_SECONDS, OWN_RANGE);
  const [frozen, setFrozen] = useState<readonly LatencyRow[]>();
  const [hidden, setHidden] = useState<ReadonlySet<SeriesKey>>(new Set());
  const [asTable, setAsTable] = useState(false);
  const [fit, setFit] = useState<"all" | "means">("all");
  const hydrated = useHydrated();
  const rows = frozen ?? live.rows;
  const prepared = useMemo(
    () => prepareLatency({ rows: rows ?? [], rangeSeconds: RANGE_SECONDS[range], hidden, fit }),
    [rows, range, hidden, fit],
  );
  const events = useChartEvents(model, prepared);
  const toggle = (key: SeriesKey) =>
    setHidden((old) => (old.has(key) ? new Set([...old].filter((one) => one !== key)) : new Set([...old, key])));

  let content: ReactNode;
  if (rows === undefined && live.error !== null) {
    content = <QueryError error={live.error} onRetry={live.restart} retrying={live.retrying} />;
  } else if (rows === undefined || !hydrated) {
    content = <Skeleton className="m-4 h-80" />;
  } else if (prepared === null) {
    content = (
      <Message kind="empty" title="No data from the data plane yet">
        The first second appears here as soon as it has been counted.
      </Message>
    );
  } else if (asTable) {
    content = <LatencyTable points={prepared.points} />;
  } else {
    const quiet = prepared.points.every((point) => point.count === 0);
    content = (
      <div className="relative space-y-3 px-2 pt-3 pb-3 sm:px-4">
        <LatencyChart prepared={prepared} events={chartEventsOf(events)} summary={chartSummary(prepared, model)} />
        {quiet ? (
          <p className="pointer-events-none absolute inset-x-0 top-32 text-center text-ink-soft">
            No request ended in this range.
          </p>
        ) : null}
        <LatencyLegend hidden={hidden} onToggle={toggle} />
        <EventLegend events={events} />
        {fit === "means" && prepared.clipped ? (
          <p className="text-[0.857rem] text-ink-soft">
            Percentiles above {formatDuration(prepared.scale.max)} are cut off; choose “All” to see them.
          </p>
        ) : null}
      </div>
    );
  }

  const isLive = frozen === undefined && live.facts.connection?.state === "live" && live.facts.stream === "pending";
  return (
    <Card
      flush
      title={
        <span className="inline-flex items-center gap-2.5">
          Latency
          {frozen !== undefined ? (
            <Badge>Paused at {formatClock(frozen.at(-1)?.t ?? 0)}</Badge>
          ) : isLive && hydrated ? (
            <Badge tone="ok">
              <span aria-hidden className="size-1.5 animate-pulse rounded-full bg-current" />
              Live
            </Badge>
          ) : null}
        </span>
      }
      hint="One point a second, server side. Means are stacked, percentiles drawn over them."
      actions={
        <>
          <ToggleGroup
            label="Time range"
            value={range}
            options={RANGE_OPTIONS}
            onChange={(next) => void setParams({ range: next })}
          />
          {asTable ? null : (
            <ToggleGroup label="Vertical scale fits" value={fit} options={FIT_OPTIONS} onChange={setFit} />
          )}
          <Button size="small" className="h-8" aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>
            {asTable ? <ChartArea aria-hidden /> : <Table2 aria-hidden />}
            {asTable ? "View chart" : "View data"}
          </Button>
          <Button
            size="small"
            className="h-8"
            disabled={live.rows === undefined}
            onClick={() => setFrozen(frozen === undefined ? live.rows : undefined)}
          >
            {frozen === undefined ? <Pause aria-hidden /> : <Play aria-hidden />}
            {frozen === undefined ? "Pause" : "Resume"}
          </Button>
        </>
      }
    >
      {content}
    </Card>
  );
}
