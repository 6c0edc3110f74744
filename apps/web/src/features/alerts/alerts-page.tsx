"use client";

import { Card, Message, Skeleton, ToggleGroup } from "@nereid/ui";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { parseAsStringLiteral, useQueryStates } from "nuqs";
import { useTRPC } from "../../lib/trpc.tsx";
import { QueryError } from "../shell/query-error.tsx";
import { AlertRow } from "./alert-row.tsx";
import { useAcknowledge } from "./use-acknowledge.ts";

const STATES = ["open", "closed", "all"] as const;
const OPTIONS = [
  { value: "open", label: "Open" },
  { value: "closed", label: "Over" },
  { value: "all", label: "All" },
] as const;

/** What is wrong, since when, and who looks after it. */
export function AlertsPage() {
  const trpc = useTRPC();
  const [{ state }, setParams] = useQueryStates({ state: parseAsStringLiteral(STATES).withDefault("open") });
  const query = useQuery(
    trpc.alerts.list.queryOptions({ state, limit: 200 }, { refetchInterval: 5_000, placeholderData: keepPreviousData }),
  );
  const { acknowledge, pendingId } = useAcknowledge();
  return (
    <div className="space-y-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div>
          <h1 className="font-semibold text-xl tracking-tight">Alerts</h1>
          <p className="text-ink-soft">
            Objectives that lose their error budget, nodes that do not answer, GPUs that report errors.
          </p>
        </div>
        <ToggleGroup
          label="Which"
          value={state}
          options={OPTIONS}
          onChange={(next) => void setParams({ state: next })}
        />
      </div>
      <Card flush>
        {query.data === undefined ? (
          query.isError ? (
            <QueryError error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />
          ) : (
            <Skeleton className="m-4 h-32" />
          )
        ) : query.data.length === 0 ? (
          <Message kind="empty" title={state === "open" ? "Nothing is wrong" : "No alert"}>
            {state === "open"
              ? "Every objective keeps its budget, and every node answers."
              : "None was raised in the last 90 days."}
          </Message>
        ) : (
          <ul className="divide-y">
            {query.data.map((alert) => (
              <AlertRow key={alert.id} alert={alert} busy={pendingId === alert.id} onAcknowledge={acknowledge} />
            ))}
          </ul>
        )}
      </Card>
    </div>
  );
}
