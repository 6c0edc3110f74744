"use client";

import type { LabJobView, LabKind } from "@nereid/services";
import { Banner, Button, Message, Skeleton } from "@nereid/ui";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useMemo } from "react";
import { shownError } from "../../lib/api-error.ts";
import Link from "../../lib/link.tsx";
import { useTRPC } from "../../lib/trpc.tsx";
import { QueryError } from "../shell/query-error.tsx";
import { jobPath, KIND_WORDS } from "./lab-words.ts";

export interface JobFrameProps {
  readonly id: string;
  readonly kind: LabKind;
  readonly children: (job: LabJobView) => ReactNode;
}

const REFRESH_MS = 1_000;

/** Around the page of one job: reads it every second while it is under way, and says so when it cannot be had. */
export function JobFrame({ id, kind, children }: JobFrameProps) {
  const trpc = useTRPC();
  const whole = useQuery(trpc.lab.get.queryOptions({ id }));
  // What was asked for does not change, and may be long: it is read once.
  const now = useQuery(
    trpc.lab.get.queryOptions(
      { id, withSpec: false },
      {
        enabled: whole.data?.active === true,
        refetchInterval: ({ state }) => (state.data?.active === false ? false : REFRESH_MS),
      },
    ),
  );
  const query = now.isError ? now : whole;
  const isNewer = now.dataUpdatedAt > whole.dataUpdatedAt;
  const data = useMemo(
    () =>
      whole.data !== undefined && isNewer && now.data !== undefined
        ? { ...now.data, spec: whole.data.spec }
        : whole.data,
    [whole.data, now.data, isNewer],
  );
  const { one, many, path } = KIND_WORDS[kind];
  const all = (
    <Button asChild>
      <Link href={path}>All {many}</Link>
    </Button>
  );
  if (query.isError && shownError(query.error).code === "NOT_FOUND") {
    return <Message page kind="missing" title={`There is no such ${one}`} action={all} />;
  }
  if (data === undefined) {
    return query.isError ? (
      <QueryError error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />
    ) : (
      <div role="status" className="space-y-4">
        <span className="sr-only">Loading the {one}</span>
        <Skeleton className="h-14" />
        <Skeleton className="h-64" />
      </div>
    );
  }
  if (data.kind !== kind) {
    const there = (
      <Button asChild>
        <Link href={jobPath(data)}>Go there</Link>
      </Button>
    );
    return <Message page kind="missing" title={`This is a ${KIND_WORDS[data.kind].one}`} action={there} />;
  }
  return (
    <div className="space-y-4">
      {query.isError ? (
        <Banner tone="warn">
          <span className="mr-3">The {one} could not be read again; this is from before.</span>
          <Button size="small" busy={query.isFetching} onClick={() => void query.refetch()}>
            Try again
          </Button>
        </Banner>
      ) : null}
      {children(data)}
    </div>
  );
}
