"use client";

import { Button, Card } from "@nereid/ui";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useTRPC } from "../../lib/trpc.tsx";
import { LocalTime } from "../audit/local-time.tsx";
import { useChange } from "./use-change.ts";

/** Links that were made and can still be used. */
export function InvitationsCard() {
  const trpc = useTRPC();
  const query = useQuery(trpc.users.invitations.queryOptions());
  const revoke = useMutation(trpc.users.revokeInvitation.mutationOptions(useChange()));
  if (query.data === undefined || query.data.length === 0) return null;
  return (
    <Card flush title="Open links">
      <ul className="divide-y">
        {query.data.map((row) => (
          <li key={row.id} className="flex flex-wrap items-center justify-between gap-3 px-4 py-2.5">
            <div className="min-w-0 [overflow-wrap:anywhere]">
              <p>
                <span className="font-medium">{row.name}</span> ({row.email}),{" "}
                {row.kind === "reset" ? "new password" : `invited as ${row.role}`}
              </p>
              <p className="text-[0.857rem] text-ink-soft">
                by {row.createdByName}, until <LocalTime at={row.expiresAt} />
              </p>
            </div>
            <Button
              size="small"
              aria-label={`Revoke the link of ${row.name}`}
              busy={revoke.isPending}
              onClick={() => revoke.mutate({ id: row.id })}
            >
              Revoke
            </Button>
          </li>
        ))}
      </ul>
    </Card>
  );
}
