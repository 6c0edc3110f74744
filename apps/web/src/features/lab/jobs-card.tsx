"use client";

import type { LabJobSummary, LabKind } from "@nereid/services";
import { Banner, Button, Card, Message, Skeleton } from "@nereid/ui";
import type { ReactNode } from "react";
import { QueryError } from "../shell/query-error.tsx";
import { JobRow } from "./job-row.tsx";
import { KIND_WORDS } from "./lab-words.ts";
import { useJobs } from "./use-jobs.ts";

export interface JobsCardProps {
  readonly kind: LabKind;
  /** Stands where there is none yet. */
  readonly empty: ReactNode;
  /** Before the title of each row, such as a checkbox. */
  readonly before?: (job: LabJobSummary) => ReactNode;
}

/** The jobs of a kind, as the address filters them. */
export function JobsCard({ kind, empty, before }: JobsCardProps) {
  const { query, jobs, isFiltered } = useJobs(kind);
  const { many } = KIND_WORDS[kind];
  const title = `${many.charAt(0).toUpperCase()}${many.slice(1)}`;
  if (jobs === undefined) {
    return (
      <Card flush title={title}>
        {query.isError ? (
          <QueryError error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />
        ) : (
          <Skeleton className="m-4 h-32" />
        )}
      </Card>
    );
  }
  return (
    <Card flush title={title} hint="Newest first, of all nodes.">
      {query.isError ? (
        <Banner tone="warn">
          <span className="mr-3">The list could not be read again; this is from before.</span>
          <Button size="small" busy={query.isFetching} onClick={() => void query.refetch()}>
            Try again
          </Button>
        </Banner>
      ) : null}
      {jobs.length === 0 ? (
        <Message
          kind="empty"
          title={isFiltered ? `No ${KIND_WORDS[kind].one} matches the filter` : `No ${KIND_WORDS[kind].one} yet`}
        >
          {isFiltered ? undefined : empty}
        </Message>
      ) : (
        <ul className="divide-y">
          {jobs.map((job) => (
            <JobRow key={job.id} job={job} before={before?.(job)} />
          ))}
        </ul>
      )}
      {query.hasNextPage ? (
        <p className="border-t p-3 text-center">
          <Button size="small" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            Older ones
          </Button>
        </p>
      ) : null}
    </Card>
  );
}
