"use client";

import { Button, Card, Message, Skeleton, Table, Td, Th, Tr } from "@nereid/ui";
import { LinesChart, LinesLegend, prepareLines, stepLabel } from "@nereid/ui/charts";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useQueryStates } from "nuqs";
import { useState } from "react";
import { useTRPC } from "../../lib/trpc.tsx";
import { RangeBar } from "../latency/range-bar.tsx";
import { OWN_RANGE } from "../latency/search-params.ts";
import { isFollowed, refreshMs, windowInput, windowOf, zoomTo } from "../latency/time-window.ts";
import { useRange } from "../settings/preferences-context.tsx";
import { QueryError } from "../shell/query-error.tsx";
import { type NodeChart, nodeCharts } from "./node-charts.ts";
import { NODE_RANGE_SECONDS, NODE_RANGES, nodeSearchParams } from "./search-params.ts";

const LIVE_MS = 2_000;

/** How busy the node was: one crosshair over all charts. */
export function NodeChartsCard({ id, name }: { readonly id: string; readonly name: string }) {
  const trpc = useTRPC();
  const [params, setParams] = useQueryStates(nodeSearchParams);
  const range = useRange(params.range, NODE_RANGE_SECONDS, OWN_RANGE);
  const window = windowOf({ ...params, range }, NODE_RANGE_SECONDS);
  const show = (from: number, to: number) => void setParams({ from, to }, { history: "push" });
  const [asTable, setAsTable] = useState(false);
  const query = useQuery(
    trpc.nodes.readings.queryOptions(
      { id, ...windowInput(window) },
      {
        refetchInterval: isFollowed(window) ? LIVE_MS : refreshMs(window, Date.now() / 1000),
        placeholderData: keepPreviousData,
      },
    ),
  );
  const charts = query.data === undefined ? [] : nodeCharts(query.data);
  return (
    <Card
      title="Utilisation and saturation"
      hint="Of the machine and of the server on it"
      actions={
        <Button size="small" tone="quiet" aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>
          {asTable ? "View charts" : "View data"}
        </Button>
      }
    >
      <div className="mb-4">
        <RangeBar
          ranges={NODE_RANGES}
          window={window}
          shown={query.data ?? null}
          onRange={(next) => void setParams({ range: next, from: null, to: null }, { history: "push" })}
          onFixed={show}
        />
      </div>
      {query.data === undefined ? (
        query.isError ? (
          <QueryError error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />
        ) : (
          <Skeleton className="h-52" />
        )
      ) : charts.length === 0 ? (
        <Message kind="empty" title={`Nothing was measured of ${name} in this time`}>
          Charts begin when its first second has come.
        </Message>
      ) : (
        <div className="grid gap-x-6 gap-y-5 lg:grid-cols-2">
          {charts.map((chart) =>
            asTable ? (
              <NodeChartTable key={chart.key} chart={chart} step={query.data.step} />
            ) : (
              <section key={chart.key} aria-label={chart.title} className="min-w-0">
                <div className="mb-1 flex flex-wrap items-baseline justify-between gap-x-4">
                  <h3 className="font-medium">{chart.title}</h3>
                  {chart.lines.length > 1 ? <LinesLegend lines={chart.lines} /> : null}
                </div>
                <p className="text-[0.786rem] text-ink-soft">{chart.hint}</p>
                <LinesChart
                  prepared={prepareLines({ ...query.data, rows: chart.rows, lines: chart.lines, unit: chart.unit })}
                  lines={chart.lines}
                  format={chart.format}
                  syncId={`node ${id}`}
                  onSelect={(first, last) => {
                    const { from, to } = zoomTo(first, last, query.data.step);
                    show(from, to);
                  }}
                  summary={summaryOf(chart)}
                />
              </section>
            ),
          )}
        </div>
      )}
    </Card>
  );
}

function summaryOf({ title, lines, rows, format }: NodeChart): string {
  const last = rows.at(-1);
  const now = lines.map(({ key, label }) => `${label || title} ${format(last?.values[key] ?? null)}`);
  return `${title} over time. Now: ${now.join(", ")}.`;
}

function NodeChartTable({ chart, step }: { readonly chart: NodeChart; readonly step: number }) {
  return (
    <section aria-label={chart.title} className="min-w-0">
      <h3 className="mb-1 font-medium">{chart.title}</h3>
      <Table label={`${chart.title}, figures`} frameClassName="max-h-52 overflow-y-auto" className="[&_td]:py-1">
        <thead className="sticky top-0 z-10 bg-panel">
          <tr>
            <Th>Time</Th>
            {chart.lines.map(({ key, label }) => (
              <Th key={key} numeric>
                {label}
              </Th>
            ))}
          </tr>
        </thead>
        <tbody>
          {chart.rows.toReversed().map(({ t, values }) => (
            <Tr key={t}>
              <Td className="whitespace-nowrap font-mono">{stepLabel(t, step)}</Td>
              {chart.lines.map(({ key }) => (
                <Td key={key} numeric>
                  {chart.format(values[key] ?? null)}
                </Td>
              ))}
            </Tr>
          ))}
        </tbody>
      </Table>
    </section>
  );
}
