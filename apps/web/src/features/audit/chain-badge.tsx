"use client";

import { Badge, Button } from "@nereid/ui";
import { useQuery } from "@tanstack/react-query";
import { ShieldAlert, ShieldCheck } from "lucide-react";
import { useTRPC } from "../../lib/trpc.tsx";

/** Checks, when asked, that no row was altered or removed: each carries the hash of the one before it. */
export function ChainBadge() {
  const trpc = useTRPC();
  const query = useQuery(trpc.audit.verify.queryOptions(undefined, { enabled: false, gcTime: 0 }));
  const found = query.data;
  return (
    <span role="status" className="inline-flex items-center gap-2">
      {query.isError ? <Badge tone="warn">not verified: the dashboard did not answer</Badge> : null}
      {found === undefined ? null : found.ok ? (
        <Badge tone="ok">
          <ShieldCheck aria-hidden />
          {found.checked} rows, unbroken
        </Badge>
      ) : (
        <Badge tone="bad">
          <ShieldAlert aria-hidden />
          broken at {found.brokenAt === null ? "an unknown row" : new Date(found.brokenAt.at).toISOString()}
        </Badge>
      )}
      <Button size="small" tone="quiet" busy={query.isFetching} onClick={() => void query.refetch()}>
        Verify the chain
      </Button>
    </span>
  );
}
