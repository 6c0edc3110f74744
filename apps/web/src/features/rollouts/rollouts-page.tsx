"use client";

import { Card, Message, Skeleton, ToggleGroup } from "@nereid/ui";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { useTRPC } from "../../lib/trpc.tsx";
import { QueryError } from "../shell/query-error.tsx";
import { RolloutRow } from "./rollout-row.tsx";
import { StartCard, SUBJECTS } from "./start-card.tsx";

const STATES = ["all", "active", "ended"] as const;
const OPTIONS = [
  { value: "all", label: "All" },
  { value: "active", label: "Under way" },
  { value: "ended", label: "Ended" },
] as const;
const REFRESH_MS = 2_000;

/** Rollouts of all models; with a model in the address, the form that begins one. */
export function RolloutsPage() {
  const trpc = useTRPC();
  const [{ state, model, what }, setParams] = useQueryStates({
    state: parseAsStringLiteral(STATES).withDefault("all"),
    model: parseAsString,
    what: parseAsStringLiteral(SUBJECTS).withDefault("version"),
  });
  const query = useQuery(
    trpc.rollouts.list.queryOptions(
      { state, limit: 100 },
      { refetchInterval: REFRESH_MS, placeholderData: keepPreviousData },
    ),
  );
  return (
    <div className="space-y-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div>
          <h1 className="font-semibold text-xl tracking-tight">Rollouts</h1>
          <p className="text-ink-soft">
            A new version or configuration gets the traffic step by step; gates send it back if it is worse.
          </p>
        </div>
        <ToggleGroup
          label="Which"
          value={state}
          options={OPTIONS}
          onChange={(next) => void setParams({ state: next })}
        />
      </div>
      <StartCard model={model} what={what} onChoose={(next) => void setParams(next)} />
      <Card flush title="Rollouts">
        {query.data === undefined ? (
          query.isError ? (
            <QueryError error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />
          ) : (
            <Skeleton className="m-4 h-32" />
          )
        ) : query.data.length === 0 ? (
          <Message kind="empty" title={state === "active" ? "Nothing is rolled out" : "No rollout yet"}>
            Load a second version beside the one that serves, or write another configuration, and begin here.
          </Message>
        ) : (
          <ul className="divide-y">
            {query.data.map((rollout) => (
              <RolloutRow key={rollout.id} rollout={rollout} />
            ))}
          </ul>
        )}
      </Card>
    </div>
  );
}
