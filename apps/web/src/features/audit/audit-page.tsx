"use client";

import { Button, Card, Message, Skeleton, Table, Td, Th, Tr } from "@nereid/ui";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import Link from "../../lib/link.tsx";
import { useTRPC } from "../../lib/trpc.tsx";
import { modelPath } from "../models/model-name-cell.tsx";
import { QueryError } from "../shell/query-error.tsx";
import { AuditCards } from "./audit-cards.tsx";
import { AuditFilters } from "./audit-filters.tsx";
import { actionText, changeText } from "./audit-words.ts";
import { ChainBadge } from "./chain-badge.tsx";
import { LocalTime } from "./local-time.tsx";
import { OutcomeBadge } from "./outcome-badge.tsx";
import { type AuditQuery, useAuditQuery } from "./use-audit-query.ts";

/** The parts of the filter that say something. */
function given(filter: AuditQuery): Partial<AuditQuery> {
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined));
}

/** Who did what, when; newest first. */
export function AuditPage() {
  const trpc = useTRPC();
  const filter = useAuditQuery();
  const query = useInfiniteQuery(
    trpc.audit.list.infiniteQueryOptions(
      { limit: 50, ...given(filter) },
      { getNextPageParam: (page) => page.nextCursor ?? undefined, placeholderData: keepPreviousData },
    ),
  );
  const events = query.data?.pages.flatMap((page) => page.events);
  let content: ReactNode;
  if (events === undefined) {
    content = query.isError ? (
      <QueryError error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />
    ) : (
      <Skeleton className="m-4 h-64" />
    );
  } else if (events.length === 0) {
    content = (
      <Message
        kind="empty"
        title={Object.keys(given(filter)).length === 0 ? "Nothing has been done yet" : "No entry matches the filter"}
      />
    );
  } else {
    content = (
      <>
        <div className="hidden md:block">
          <Table label="Audit log">
            <thead>
              <tr>
                <Th>Time</Th>
                <Th>Who</Th>
                <Th>Action</Th>
                <Th>Target</Th>
                <Th>Outcome</Th>
                <Th>Change</Th>
                <Th>Request</Th>
              </tr>
            </thead>
            <tbody>
              {events.map((event) => (
                <Tr key={event.id}>
                  <Td className="whitespace-nowrap">
                    <LocalTime at={event.at} />
                  </Td>
                  <Td>{event.actorName}</Td>
                  <Td className="whitespace-nowrap">
                    <span title={event.action}>{actionText(event.action)}</span>
                  </Td>
                  <Td className="min-w-40 break-words">
                    {event.targetType === "model" ? (
                      <Link
                        href={modelPath(event.targetId)}
                        className="inline-flex min-h-[24px] items-center rounded-sm font-medium hover:underline"
                      >
                        {event.targetId}
                      </Link>
                    ) : (
                      <span className="text-ink-soft">{event.targetType}</span>
                    )}
                  </Td>
                  <Td>
                    <OutcomeBadge outcome={event.outcome} />
                  </Td>
                  <Td className="min-w-52 text-[0.893rem] [overflow-wrap:anywhere]">
                    {event.reason === null ? null : <q className="block font-medium">{event.reason}</q>}
                    {changeText(event.before, event.after) || (event.reason === null ? "–" : null)}
                  </Td>
                  <Td className="font-mono text-[0.786rem] text-ink-soft">
                    <span title={event.requestId}>{event.requestId.slice(0, 8)}</span>
                  </Td>
                </Tr>
              ))}
            </tbody>
          </Table>
        </div>
        <div className="md:hidden">
          <AuditCards events={events} />
        </div>
      </>
    );
  }
  return (
    <div className="space-y-4">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <div>
          <h1 className="font-semibold text-xl tracking-tight">Audit log</h1>
          <p className="text-ink-soft">
            Everything that was changed, by whom and why. Each row carries the hash of the one before it.
          </p>
        </div>
        <ChainBadge />
      </div>
      <AuditFilters filter={filter} />
      <Card flush>{content}</Card>
      {query.hasNextPage ? (
        <div className="flex justify-center">
          <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            Older entries
          </Button>
        </div>
      ) : null}
    </div>
  );
}
