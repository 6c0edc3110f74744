"use client";

import { Button, Card, Message, Skeleton, Table, Td, Th, Tr } from "@nereid/ui";
import { useInfiniteQuery } from "@tanstack/react-query";
import Link from "next/link";
import type { ReactNode } from "react";
import { useTRPC } from "../../lib/trpc.tsx";
import { modelPath } from "../models/model-name-cell.tsx";
import { QueryError } from "../shell/query-error.tsx";
import { actionText, changeText } from "./audit-words.ts";
import { LocalTime } from "./local-time.tsx";
import { OutcomeBadge } from "./outcome-badge.tsx";

/** Who did what, when; newest first. */
export function AuditPage() {
  const trpc = useTRPC();
  const query = useInfiniteQuery(
    trpc.audit.list.infiniteQueryOptions({ limit: 50 }, { getNextPageParam: (page) => page.nextCursor ?? undefined }),
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
    content = <Message kind="empty" title="Nothing has been done yet" />;
  } else {
    content = (
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
                {changeText(event.before, event.after) || "–"}
              </Td>
              <Td className="font-mono text-[0.786rem] text-ink-soft">
                <span title={event.requestId}>{event.requestId.slice(0, 8)}</span>
              </Td>
            </Tr>
          ))}
        </tbody>
      </Table>
    );
  }
  return (
    <div className="space-y-4">
      <div>
        <h1 className="font-semibold text-xl tracking-tight">Audit log</h1>
        <p className="text-ink-soft">
          Everything that was changed through the dashboard. Rows are never altered or removed.
        </p>
      </div>
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
