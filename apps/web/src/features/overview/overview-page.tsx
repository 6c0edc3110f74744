"use client";

import { Button, Card, Message, Skeleton, ToggleGroup } from "@nereid/ui";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { UploadCloud } from "lucide-react";
import { useQueryStates } from "nuqs";
import Link from "../../lib/link.tsx";
import { useTRPC } from "../../lib/trpc.tsx";
import { EventList } from "../events/event-list.tsx";
import { OWN_RANGE, RANGE_SECONDS, RANGES, rangeSearchParams } from "../latency/search-params.ts";
import { useRange } from "../settings/preferences-context.tsx";
import { QueryError } from "../shell/query-error.tsx";
import { OverviewSlos } from "../slos/overview-slos.tsx";
import { HealthLine } from "./health-line.tsx";
import { OverviewTiles } from "./overview-tiles.tsx";
import { ServerCard } from "./server-card.tsx";
import { WorstModels } from "./worst-models.tsx";

const REFRESH_MS = 2_000;

/** Is anything wrong, for whom, and what changed. */
export function OverviewPage() {
  const trpc = useTRPC();
  const [params, setRange] = useQueryStates(rangeSearchParams);
  const range = useRange(params.range, RANGE_SECONDS, OWN_RANGE);
  const query = useQuery(
    trpc.overview.get.queryOptions(
      { windowSeconds: RANGE_SECONDS[range] },
      { refetchInterval: REFRESH_MS, placeholderData: keepPreviousData },
    ),
  );
  const { data } = query;
  return (
    <div className="space-y-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h1 className="font-semibold text-xl tracking-tight">Overview</h1>
        <ToggleGroup
          label="Time range"
          value={range}
          options={RANGES.map((value) => ({ value, label: value }))}
          onChange={(next) => void setRange({ range: next })}
        />
      </div>
      {data === undefined ? (
        query.isError ? (
          <Card flush>
            <QueryError error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />
          </Card>
        ) : (
          <div role="status" className="space-y-4">
            <span className="sr-only">Loading the overview</span>
            <Skeleton className="h-12" />
            <Skeleton className="h-28" />
            <Skeleton className="h-64" />
          </div>
        )
      ) : (
        <>
          <HealthLine health={data.health} staleSince={query.isError ? query.dataUpdatedAt : null} />
          <OverviewTiles tiles={data.tiles} range={range} />
          {data.models.total === 0 && data.server !== null && data.health.state !== "unknown" ? (
            <Card flush>
              <Message
                kind="empty"
                title="No model yet"
                action={
                  <Button asChild tone="primary">
                    <Link href="/deploy">
                      <UploadCloud aria-hidden />
                      Deploy a model
                    </Link>
                  </Button>
                }
              >
                Drop an ONNX file; it is checked, tried and served without a file to edit.
              </Message>
            </Card>
          ) : null}
          <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
            <div className="grid gap-4">
              <WorstModels worst={data.worst} range={range} />
              <OverviewSlos />
            </div>
            <div className="grid gap-4">
              <EventList events={data.recent} />
              <ServerCard server={data.server} models={data.models} />
            </div>
          </div>
        </>
      )}
    </div>
  );
}
