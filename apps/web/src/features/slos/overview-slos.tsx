"use client";

import { Badge, Button, Card, formatNumber, Message, Skeleton } from "@nereid/ui";
import { useQuery } from "@tanstack/react-query";
import Link from "../../lib/link.tsx";
import { useTRPC } from "../../lib/trpc.tsx";
import { modelPath } from "../models/model-name-cell.tsx";
import { QueryError } from "../shell/query-error.tsx";
import { BudgetBar } from "./budget-bar.tsx";
import { promiseText, STATE_WORDS } from "./slo-words.ts";

const SHOWN = 6;

/** The promises that stand worst. */
export function OverviewSlos() {
  const trpc = useTRPC();
  const query = useQuery(trpc.slos.list.queryOptions({}, { refetchInterval: 10_000 }));
  return (
    <Card
      flush
      title="Objectives"
      hint="Error budgets, the emptiest first"
      actions={
        <Button asChild size="small">
          <Link href="/settings/slos">All</Link>
        </Button>
      }
    >
      {query.data === undefined ? (
        query.isError ? (
          <QueryError error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />
        ) : (
          <Skeleton className="m-4 h-16" />
        )
      ) : query.data.length === 0 ? (
        <Message kind="empty" title="Nothing is promised yet" className="py-6">
          Set an objective to see goodput and be alerted.
        </Message>
      ) : (
        <ul className="divide-y">
          {query.data.slice(0, SHOWN).map(({ slo, standing }) => (
            <li key={slo.id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-4 py-2.5">
              <div className="min-w-0">
                <Link
                  href={`${modelPath(slo.model)}/latency`}
                  className="inline-flex min-h-[24px] items-center rounded-sm font-medium hover:underline"
                >
                  {slo.model}
                </Link>{" "}
                <Badge tone={STATE_WORDS[standing.state].tone}>{STATE_WORDS[standing.state].text}</Badge>
                <p className="text-[0.857rem] text-ink-soft">
                  {promiseText(slo)}
                  {standing.goodput === null
                    ? null
                    : ` · goodput ${formatNumber(standing.goodput)} of ${formatNumber(standing.throughput)}/s`}
                </p>
              </div>
              <BudgetBar name={slo.name} left={standing.budgetLeft} />
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
