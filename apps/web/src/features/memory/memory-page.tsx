"use client";

import type { MemoryFacts } from "@nereid/client";
import {
  Banner,
  Card,
  cn,
  formatBytes,
  formatNumber,
  Message,
  Skeleton,
  StatTile,
  Table,
  Td,
  Th,
  Tr,
} from "@nereid/ui";
import { useQuery } from "@tanstack/react-query";
import Link from "../../lib/link.tsx";
import { useTRPC } from "../../lib/trpc.tsx";
import { LocalTime } from "../audit/local-time.tsx";
import { ModelFrame } from "../models/model-frame.tsx";
import { modelPath } from "../models/model-name-cell.tsx";
import { QueryError } from "../shell/query-error.tsx";

const REFRESH_MS = 5_000;
const MOST_HOLDERS = 12;

/** Where a model's memory goes: each load over its life, what a load is reckoned to take, who holds what now. */
export function MemoryPage({ name }: { readonly name: string }) {
  const trpc = useTRPC();
  const query = useQuery(trpc.memory.get.queryOptions({ name }, { refetchInterval: REFRESH_MS }));
  return (
    <ModelFrame name={name} current="memory">
      {query.isError && query.data !== undefined ? (
        <Banner tone="warn">The memory could not be read again. What is shown is from before.</Banner>
      ) : null}
      {query.data === undefined ? (
        query.isError ? (
          <QueryError error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />
        ) : (
          <Skeleton className="h-64" />
        )
      ) : (
        <>
          <Totals model={name} facts={query.data} />
          <LoadsCard facts={query.data} />
          <HoldersCard model={name} facts={query.data} />
        </>
      )}
    </ModelFrame>
  );
}

function Totals({ model, facts }: { readonly model: string; readonly facts: MemoryFacts }) {
  const sum = (rows: readonly { readonly bytes: number }[]) => rows.reduce((total, { bytes }) => total + bytes, 0);
  const own = sum(facts.holders.filter((holder) => holder.model === model));
  const estimate = facts.estimates.at(-1);
  return (
    <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-lg border bg-line lg:grid-cols-4">
      <StatTile label="This model now" value={formatBytes(own)} note="resident, all its processes" />
      <StatTile
        label="Estimate of a first load"
        value={formatBytes(estimate?.bytes)}
        note={
          estimate === undefined
            ? undefined
            : `from ${formatBytes(estimate.fileBytes)} of files, version ${estimate.version}`
        }
      />
      <StatTile
        label="All models now"
        value={formatBytes(sum(facts.holders))}
        note={`${facts.holders.length} processes`}
      />
      <StatTile
        label="Budget"
        value={formatBytes(facts.budgetBytes)}
        note={facts.budgetBytes === undefined ? "none is set" : "for all models together"}
      />
    </dl>
  );
}

function LoadsCard({ facts }: { readonly facts: MemoryFacts }) {
  return (
    <Card
      flush
      title="Loads since the server started"
      hint="Resident memory of the process. An unload ends the process, so all of it comes back."
    >
      {facts.loads.length === 0 ? (
        <Message kind="empty" title="It was not loaded since the server started" />
      ) : (
        <Table label="Memory of each load">
          <thead>
            <tr>
              <Th>Loaded</Th>
              <Th>Version</Th>
              <Th numeric>Took</Th>
              <Th numeric>Before</Th>
              <Th numeric>Loaded</Th>
              <Th numeric>Peak</Th>
              <Th numeric>Now</Th>
              <Th numeric>After unload</Th>
            </tr>
          </thead>
          <tbody>
            {facts.loads.map((load) => (
              <Tr key={`${load.atMs} ${load.version}`}>
                <Td className="whitespace-nowrap">
                  <LocalTime at={new Date(load.atMs)} relative />
                </Td>
                <Td>{load.version}</Td>
                <Td numeric>{load.seconds === undefined ? "–" : `${formatNumber(load.seconds)} s`}</Td>
                <Td numeric>{formatBytes(load.beforeBytes)}</Td>
                <Td numeric>{formatBytes(load.loadedBytes)}</Td>
                <Td numeric>{formatBytes(load.peakBytes)}</Td>
                <Td numeric>{formatBytes(load.currentBytes)}</Td>
                <Td numeric>
                  {load.afterUnloadBytes === undefined ? "still loaded" : formatBytes(load.afterUnloadBytes)}
                </Td>
              </Tr>
            ))}
          </tbody>
        </Table>
      )}
    </Card>
  );
}

function HoldersCard({ model, facts }: { readonly model: string; readonly facts: MemoryFacts }) {
  const largest = Math.max(1, ...facts.holders.map(({ bytes }) => bytes));
  const shown = facts.holders.slice(0, MOST_HOLDERS);
  return (
    <Card
      title="Who holds what now"
      hint={`The server itself holds ${formatBytes(facts.serverBytes)}.${facts.holders.length > MOST_HOLDERS ? ` The ${MOST_HOLDERS} largest of ${facts.holders.length}.` : ""}`}
    >
      {shown.length === 0 ? (
        <Message kind="empty" title="No model has a process" />
      ) : (
        <ul className="space-y-1.5">
          {shown.map((holder) => (
            <li
              key={`${holder.model}/${holder.version}`}
              className="grid grid-cols-[minmax(0,12rem)_1fr_5.5rem] items-center gap-3"
            >
              <Link
                href={`${modelPath(holder.model)}/memory`}
                className="truncate py-0.5 underline-offset-2 hover:underline"
                aria-current={holder.model === model ? "page" : undefined}
              >
                {holder.model} <span className="text-ink-soft">v{holder.version}</span>
              </Link>
              <span aria-hidden className="h-2.5 overflow-hidden rounded-full bg-raised">
                <span
                  className={cn("block h-full rounded-full", holder.model === model ? "bg-accent" : "bg-line-strong")}
                  style={{ width: `${(holder.bytes / largest) * 100}%` }}
                />
              </span>
              <span className="text-right font-mono text-[0.893rem]">{formatBytes(holder.bytes)}</span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
