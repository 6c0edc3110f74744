"use client";

import type { FlightRecord } from "@nereid/client";
import {
  Badge,
  Button,
  Card,
  EmptyState,
  formatDuration,
  Select,
  Skeleton,
  Table,
  Td,
  Th,
  ToggleGroup,
  Tr,
} from "@nereid/ui";
import { stepLabel } from "@nereid/ui/charts";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useQueryStates } from "nuqs";
import { type ReactNode, useMemo } from "react";
import Link from "../../lib/link.tsx";
import { useTRPC } from "../../lib/trpc.tsx";
import { useHydrated } from "../../lib/use-hydrated.ts";
import { LocalTime } from "../audit/local-time.tsx";
import { ModelFrame } from "../models/model-frame.tsx";
import { modelPath } from "../models/model-name-cell.tsx";
import { QueryError } from "../shell/query-error.tsx";
import { CAUSES, nameOf, RequestSheet } from "./request-sheet.tsx";
import { requestsInputOf } from "./requests-input.ts";
import { requestsSearchParams } from "./search-params.ts";
import { TimeBar } from "./time-bar.tsx";

const ORDERS = [
  { value: "slowest", label: "Slowest" },
  { value: "newest", label: "Newest" },
] as const;

/** Why requests took as long as they did: those of a model that the server remembers. */
export function RequestsPage({ name }: { readonly name: string }) {
  const trpc = useTRPC();
  const [params, setParams] = useQueryStates(requestsSearchParams);
  const query = useQuery(
    trpc.requests.find.queryOptions(requestsInputOf(name, params), { placeholderData: keepPreviousData }),
  );
  const records = query.data?.records;
  const known = useMemo(() => byName(records ?? []), [records]);
  const { from, to, slowerMs, fasterMs, cause, row } = params;
  const narrowed = [from, to, slowerMs, fasterMs, cause, params.version].some((one) => one !== null);
  const reset = () =>
    void setParams(
      { from: null, to: null, slowerMs: null, fasterMs: null, cause: null, version: null },
      { history: "push" },
    );
  const open = (serial: number | null) => void setParams({ row: serial }, { history: "push" });

  let content: ReactNode;
  if (records === undefined) {
    content = query.isError ? (
      <QueryError error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />
    ) : (
      <Skeleton className="m-4 h-64" />
    );
  } else if (records.length === 0) {
    content = (
      <EmptyState
        title={narrowed ? "No request of this choice is remembered" : "No request is remembered yet"}
        action={narrowed ? <Button onClick={reset}>Show all that are remembered</Button> : undefined}
      >
        The server remembers requests that failed, that took much longer than the model’s others, and one of every
        hundred (--flight-sample), the newest 4096 of them (--flight-records). They are gone when it restarts.
      </EmptyState>
    );
  } else {
    content = <RequestsTable records={records} onOpen={open} />;
  }
  return (
    <ModelFrame name={name} current="requests">
      <Card
        flush
        title="Remembered requests"
        hint={<WindowWords from={from} to={to} slowerMs={slowerMs} fasterMs={fasterMs} />}
        actions={
          <>
            <Select
              aria-label="Remembered because"
              value={cause ?? ""}
              onChange={({ target }) => {
                const next = requestsSearchParams.cause.parse(target.value);
                void setParams({ cause: next }, { history: "push" });
              }}
            >
              <option value="">Any cause</option>
              <option value="slow">Slow</option>
              <option value="failed">Failed</option>
              <option value="sampled">Sample</option>
            </Select>
            <ToggleGroup
              label="Order"
              value={params.order}
              options={ORDERS}
              onChange={(order) => void setParams({ order }, { history: "push" })}
            />
            {narrowed ? (
              <Button size="small" className="h-8" onClick={reset}>
                Reset
              </Button>
            ) : null}
            <Button asChild size="small" className="h-8">
              <Link href={`${modelPath(name)}/latency${from === null || to === null ? "" : around(from, to)}`}>
                Charts
              </Link>
            </Button>
            <Button size="small" className="h-8" busy={query.isFetching} onClick={() => void query.refetch()}>
              Read again
            </Button>
          </>
        }
      >
        {content}
      </Card>
      <RequestSheet
        record={records?.find(({ serial }) => serial === row) ?? null}
        known={known}
        onOpen={open}
        onClose={() => open(null)}
      />
    </ModelFrame>
  );
}

interface WindowWordsProps {
  readonly from: number | null;
  readonly to: number | null;
  readonly slowerMs: number | null;
  readonly fasterMs: number | null;
}

function WindowWords({ from, to, slowerMs, fasterMs }: WindowWordsProps) {
  const hydrated = useHydrated();
  const words = [
    from === null || to === null || !hydrated ? "" : `Ended ${stepLabel(from, Math.max(1, to - from))}`,
    slowerMs === null ? "" : `took ${formatDuration(slowerMs)} or longer`,
    fasterMs === null ? "" : `less than ${formatDuration(fasterMs)}`,
  ].filter((part) => part !== "");
  return words.length === 0
    ? "Samples, slow and failed ones of all that the server remembers."
    : `${words.join(", ")}.`;
}

interface RequestsTableProps {
  readonly records: readonly FlightRecord[];
  readonly onOpen: (serial: number) => void;
}

function RequestsTable({ records, onOpen }: RequestsTableProps) {
  const longestNs = records.reduce((most, { totalNs }) => Math.max(most, totalNs), 0);
  return (
    <>
      <Table label="Remembered requests">
        <thead>
          <tr>
            <Th>Request</Th>
            <Th numeric>Took</Th>
            <Th className="hidden w-1/4 sm:table-cell">Where the time went</Th>
            <Th>Why</Th>
            <Th className="hidden md:table-cell">Ended</Th>
            <Th className="hidden lg:table-cell" numeric>
              Batch
            </Th>
            <Th className="hidden lg:table-cell">Instance</Th>
          </tr>
        </thead>
        <tbody>
          {records.map((record) => (
            <Tr key={record.serial}>
              <Td className="[overflow-wrap:anywhere]">
                <button
                  type="button"
                  className="min-h-[24px] rounded-sm text-left font-mono hover:underline"
                  onClick={() => onOpen(record.serial)}
                >
                  {nameOf(record)}
                </button>
              </Td>
              <Td numeric>{formatDuration(record.totalNs / 1e6)}</Td>
              <Td className="hidden sm:table-cell">
                <TimeBar record={record} longestNs={longestNs} />
              </Td>
              <Td>
                <span className="flex flex-wrap gap-1">
                  {record.causes.map((cause) => (
                    <Badge key={cause} {...(cause !== "sampled" && { tone: cause === "failed" ? "bad" : "warn" })}>
                      {CAUSES[cause]}
                    </Badge>
                  ))}
                </span>
              </Td>
              <Td className="hidden whitespace-nowrap md:table-cell">
                <LocalTime at={new Date(record.atMs + record.totalNs / 1e6)} />
              </Td>
              <Td className="hidden lg:table-cell" numeric>
                {record.batch?.size ?? "–"}
              </Td>
              <Td className="hidden font-mono lg:table-cell">{record.instance?.name ?? "–"}</Td>
            </Tr>
          ))}
        </tbody>
      </Table>
      <p className="hidden px-4 py-2 text-[0.857rem] text-ink-soft sm:block">
        Bars, from the left: queue, compute input, compute infer, compute output. The longest request fills the width.
      </p>
    </>
  );
}

function byName(records: readonly FlightRecord[]): ReadonlyMap<string, FlightRecord> {
  return new Map(
    records.flatMap((record) => [[`#${record.serial}`, record] as const, [nameOf(record), record] as const]),
  );
}

/** The charts around a moment: with as much again before and after it. */
function around(from: number, to: number): string {
  const margin = Math.max(30, Math.ceil(to - from) * 5);
  return `?from=${Math.floor(from) - margin}&to=${Math.ceil(to) + margin}`;
}
