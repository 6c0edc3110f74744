"use client";

import { Button, Card, Message, Skeleton } from "@nereid/ui";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import Link from "../../lib/link.tsx";
import { useTRPC } from "../../lib/trpc.tsx";
import { QueryError } from "../shell/query-error.tsx";
import { actionText, changeText } from "./audit-words.ts";
import { LocalTime } from "./local-time.tsx";
import { OutcomeBadge } from "./outcome-badge.tsx";
import { historyPath } from "./search-params.ts";

const SHOWN = 5;

/** The last things that were done to one model. */
export function RecentAuditCard({ model }: { readonly model: string }) {
  const trpc = useTRPC();
  const query = useQuery(trpc.audit.list.queryOptions({ targetType: "model", targetId: model, limit: SHOWN }));
  let content: ReactNode;
  if (query.data === undefined) {
    content = query.isError ? (
      <QueryError error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />
    ) : (
      <Skeleton className="m-4 h-24" />
    );
  } else if (query.data.events.length === 0) {
    content = <Message kind="empty" title="Nothing was done to it from here yet" />;
  } else {
    content = (
      <ul className="divide-y divide-line">
        {query.data.events.map((event) => (
          <li key={event.id} className="flex items-start justify-between gap-3 px-4 py-2.5">
            <div className="min-w-0">
              <p>
                <span className="font-medium">{event.actorName}</span> {actionText(event.action).toLowerCase()}
              </p>
              <p className="text-[0.857rem] text-ink-soft [overflow-wrap:anywhere]">
                <LocalTime at={event.at} relative />
                {changeText(event.before, event.after) === "" ? null : `, ${changeText(event.before, event.after)}`}
              </p>
            </div>
            <OutcomeBadge outcome={event.outcome} />
          </li>
        ))}
      </ul>
    );
  }
  return (
    <Card
      flush
      title="Recent changes"
      actions={
        <Button asChild size="small" tone="quiet">
          <Link href={historyPath("model", model)}>History</Link>
        </Button>
      }
    >
      {content}
    </Card>
  );
}
