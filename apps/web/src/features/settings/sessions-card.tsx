"use client";

import { Badge, Button, Card, Skeleton } from "@nereid/ui";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useTRPC } from "../../lib/trpc.tsx";
import { LocalTime } from "../audit/local-time.tsx";
import { QueryError } from "../shell/query-error.tsx";
import { useSession } from "../shell/session-context.tsx";
import { useChange } from "./use-change.ts";

/** Where one is signed in. */
export function SessionsCard() {
  const trpc = useTRPC();
  const { actor } = useSession();
  const query = useQuery(trpc.users.sessions.queryOptions({ id: actor.id }));
  const revoke = useMutation(trpc.users.revokeSession.mutationOptions(useChange()));
  return (
    <Card flush title="Sessions">
      {query.data === undefined ? (
        query.isError ? (
          <QueryError error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />
        ) : (
          <Skeleton className="m-4 h-16" />
        )
      ) : (
        <ul className="divide-y">
          {query.data.map((session) => (
            <li key={session.id} className="flex flex-wrap items-center justify-between gap-3 px-4 py-2.5">
              <div className="min-w-0">
                <p className="[overflow-wrap:anywhere]">{session.userAgent ?? "unknown program"}</p>
                <p className="text-[0.857rem] text-ink-soft">
                  since <LocalTime at={session.createdAt} />
                  {session.ipAddress === null || session.ipAddress === "" ? "" : `, from ${session.ipAddress}`}
                </p>
              </div>
              {session.current ? (
                <Badge tone="ok">this one</Badge>
              ) : (
                <Button
                  size="small"
                  busy={revoke.isPending}
                  onClick={() => revoke.mutate({ id: actor.id, sessionId: session.id })}
                >
                  End
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
