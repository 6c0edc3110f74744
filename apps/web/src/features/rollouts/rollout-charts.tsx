"use client";

import type { RolloutView } from "@nereid/services";
import { Card, formatDuration, formatNumber, Message, Skeleton } from "@nereid/ui";
import { type LineLook, LinesChart, prepareLines } from "@nereid/ui/charts";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useTRPC } from "../../lib/trpc.tsx";
import { QueryError } from "../shell/query-error.tsx";
import { candidateWords } from "./rollout-words.ts";

const LEAST_SECONDS = 60;
const REFRESH_MS = 2_000;
const FIGURES = [
  { key: "p99", title: "99th percentile", format: (value: number) => formatDuration(value) },
  { key: "count", title: "Requests of each step of time", format: (value: number) => formatNumber(value) },
  { key: "failed", title: "Failed requests", format: (value: number) => formatNumber(value) },
] as const;

/** Both versions side by side, on the same axes, since the rollout began. */
export function RolloutCharts({ rollout }: { readonly rollout: RolloutView }) {
  const { model, node, baseline, candidate, createdAtMs, endedAtMs } = rollout;
  const trpc = useTRPC();
  const begun = Math.floor(createdAtMs / 1000) - 10;
  const lasts = Math.max(LEAST_SECONDS, Math.ceil((endedAtMs ?? Date.now()) / 1000) - begun);
  const window = endedAtMs === null ? { seconds: lasts } : { from: begun, to: begun + lasts };
  const query = useQuery(
    trpc.history.range.queryOptions(
      { model, node, splitBy: "version", ...window },
      { refetchInterval: endedAtMs === null ? REFRESH_MS : false, placeholderData: keepPreviousData },
    ),
  );
  const [other = "", otherVersion] = candidate.split("/");
  // A configuration's candidate is a model of its own, with its own history.
  const own = useQuery(
    trpc.history.range.queryOptions(
      { model: other, node, splitBy: "version", ...window },
      {
        refetchInterval: endedAtMs === null ? REFRESH_MS : false,
        placeholderData: keepPreviousData,
        enabled: otherVersion !== undefined,
      },
    ),
  );
  const lines: LineLook[] = [
    { key: baseline, label: `Version ${baseline}`, color: "var(--series-infer)" },
    {
      key: candidate,
      label: otherVersion === undefined ? `Version ${candidate}` : "New configuration",
      color: "var(--series-queue)",
      dash: "6 3",
    },
  ];
  const { data } = query;
  if (data === undefined) {
    return (
      <Card title="Both versions">
        {query.isError ? (
          <QueryError error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />
        ) : (
          <Skeleton className="h-52" />
        )}
      </Card>
    );
  }
  const { from, to, step } = data;
  const series = [
    ...data.series,
    ...(own.data?.series ?? []).filter(({ key }) => key === otherVersion).map((one) => ({ ...one, key: candidate })),
  ];
  const times = [...new Set(series.flatMap(({ rows }) => rows.map(({ t }) => t)))].sort((a, b) => a - b);
  return (
    <Card
      title="Both versions"
      hint={`Version ${baseline} is the solid line, the ${candidateWords(candidate)} the dashed one.`}
    >
      {times.length === 0 ? (
        <Message kind="empty" title="Nothing was measured" />
      ) : (
        <div className="grid gap-4 xl:grid-cols-3">
          {FIGURES.map(({ key, title, format }) => {
            const rows = times.map((t) => ({
              t,
              values: Object.fromEntries(
                series.map((one) => [one.key, one.rows.find((row) => row.t === t)?.[key] ?? null]),
              ),
            }));
            return (
              <div key={key} className="min-w-0">
                <h3 className="mb-1 text-[0.857rem] text-ink-soft">{title}</h3>
                <LinesChart
                  prepared={prepareLines({ rows, lines, from, to, step })}
                  lines={lines}
                  summary={`${title} of version ${baseline} and the ${candidateWords(candidate)}`}
                  format={(value) => (value === null ? "–" : format(value))}
                  syncId="rollout"
                />
              </div>
            );
          })}
        </div>
      )}
    </Card>
  );
}
