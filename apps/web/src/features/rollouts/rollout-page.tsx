"use client";

import type { RolloutView } from "@nereid/services";
import { Badge, Banner, Button, Card, Message, Skeleton } from "@nereid/ui";
import { useQuery } from "@tanstack/react-query";
import { shownError } from "../../lib/api-error.ts";
import Link from "../../lib/link.tsx";
import { useTRPC } from "../../lib/trpc.tsx";
import { LocalTime } from "../audit/local-time.tsx";
import { modelPath } from "../models/model-name-cell.tsx";
import { withNode } from "../nodes/chosen-node.ts";
import { QueryError } from "../shell/query-error.tsx";
import { GatesCard } from "./gates-card.tsx";
import { RolloutActions } from "./rollout-actions.tsx";
import { RolloutCharts } from "./rollout-charts.tsx";
import { PHASE_WORDS, rolloutTitle } from "./rollout-words.ts";
import { StepsCard } from "./steps-card.tsx";

const REFRESH_MS = 1_000;

/** One rollout: where it stands, what was measured, and what can be done. */
export function RolloutPage({ id }: { readonly id: string }) {
  const trpc = useTRPC();
  const query = useQuery(
    trpc.rollouts.get.queryOptions(
      { id },
      { refetchInterval: ({ state }) => (state.data?.active === false ? false : REFRESH_MS) },
    ),
  );
  const { data } = query;
  if (query.isError && shownError(query.error).code === "NOT_FOUND") {
    return (
      <Message
        page
        kind="missing"
        title="There is no such rollout"
        action={
          <Button asChild>
            <Link href="/rollouts">All rollouts</Link>
          </Button>
        }
      />
    );
  }
  if (data === undefined) {
    return query.isError ? (
      <QueryError error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />
    ) : (
      <div role="status" className="space-y-4">
        <span className="sr-only">Loading the rollout</span>
        <Skeleton className="h-14" />
        <Skeleton className="h-64" />
      </div>
    );
  }
  return (
    <div className="space-y-4">
      <Heading rollout={data} />
      {query.isError ? (
        <Banner tone="warn">
          <span className="mr-3">The rollout could not be read again; this is from before.</span>
          <Button size="small" busy={query.isFetching} onClick={() => void query.refetch()}>
            Try again
          </Button>
        </Banner>
      ) : null}
      <StepsCard rollout={data} />
      <GatesCard rollout={data} />
      <RolloutCharts rollout={data} />
      <HistoryCard rollout={data} />
    </div>
  );
}

function Heading({ rollout }: { readonly rollout: RolloutView }) {
  const { model, node, phase, verdict, note, attempt } = rollout;
  const { text, tone } = PHASE_WORDS[phase];
  return (
    <div className="flex flex-wrap items-start justify-between gap-3">
      <div className="min-w-0">
        <div className="flex flex-wrap items-center gap-3">
          <h1 className="font-semibold text-xl tracking-tight [overflow-wrap:anywhere]">{rolloutTitle(rollout)}</h1>
          <Badge tone={tone}>{text}</Badge>
          {attempt > 1 ? <Badge>Attempt {attempt}</Badge> : null}
        </div>
        <p role="status" className="[overflow-wrap:anywhere]">
          {verdict}
        </p>
        <p className="text-[0.857rem] text-ink-soft">
          <Link
            href={withNode(`${modelPath(model)}/versions`, node === "local" ? null : node)}
            className="inline-flex min-h-[24px] items-center rounded-sm hover:underline"
          >
            Versions of {model}
          </Link>
          {rollout.spec.config === null ? null : (
            <>
              {" · "}
              <Link
                href={withNode(`${modelPath(model)}/config`, node === "local" ? null : node)}
                className="inline-flex min-h-[24px] items-center rounded-sm hover:underline"
              >
                Configuration
              </Link>
            </>
          )}
          {note === "" ? null : ` · ${note}`}
        </p>
      </div>
      <RolloutActions rollout={rollout} />
    </div>
  );
}

function HistoryCard({ rollout: { history } }: { readonly rollout: RolloutView }) {
  return (
    <Card flush title="What was decided" hint="Newest first.">
      <ol className="divide-y">
        {history.toReversed().map(({ atMs, says, by }) => (
          <li key={`${atMs} ${says}`} className="px-4 py-2.5">
            <p className="[overflow-wrap:anywhere]">{says}</p>
            <p className="text-[0.857rem] text-ink-soft">
              {by}, <LocalTime at={new Date(atMs)} />
            </p>
          </li>
        ))}
      </ol>
    </Card>
  );
}
