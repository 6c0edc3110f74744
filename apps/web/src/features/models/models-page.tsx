"use client";

import { Button, Card, Input, Message, Skeleton } from "@nereid/ui";
import { useQuery } from "@tanstack/react-query";
import { Search, UploadCloud } from "lucide-react";
import { parseAsString, useQueryState } from "nuqs";
import type { ReactNode } from "react";
import Link from "../../lib/link.tsx";
import { useTRPC } from "../../lib/trpc.tsx";
import { DropAnywhere } from "../deploy/drop-anywhere.tsx";
import { LiveBanner } from "../shell/live-banner.tsx";
import { QueryError } from "../shell/query-error.tsx";
import { useSession } from "../shell/session-context.tsx";
import { filterModels, modelsSentence } from "./filter-models.ts";
import { LOADING_REFRESH_MS, refreshInterval } from "./load-words.ts";
import { ModelsCards } from "./models-cards.tsx";
import { ModelsTable } from "./models-table.tsx";
import { useLiveSummaries } from "./use-live-summaries.ts";
import { useModelActions } from "./use-model-actions.ts";

/** The list of models: what is loaded, how it is doing, and the means to change it. */
export function ModelsPage() {
  const trpc = useTRPC();
  const [filter, setFilter] = useQueryState("q", parseAsString.withDefault(""));
  const actions = useModelActions();
  const list = useQuery(
    trpc.models.list.queryOptions(undefined, {
      refetchInterval: ({ state }) => (actions.isLoading ? LOADING_REFRESH_MS : refreshInterval(state.data ?? [])),
    }),
  );
  const canDeploy = useSession().permissions.includes("model.deploy");
  const live = useLiveSummaries();
  const models = list.data;
  const found = filterModels(models ?? [], filter);
  const retry = () => void list.refetch();

  let content: ReactNode;
  if (models === undefined) {
    content = list.isError ? (
      <QueryError error={list.error} onRetry={retry} retrying={list.isFetching} />
    ) : (
      <ListSkeleton />
    );
  } else if (models.length === 0) {
    content = (
      <Message kind="empty" title="The repository has no models yet">
        Drop an <code className="font-mono text-ink">.onnx</code> file anywhere on this page, or put a folder with a
        model into the server’s repository. It appears here without a restart.
      </Message>
    );
  } else if (found.length === 0) {
    content = (
      <Message
        kind="empty"
        title={`No model matches “${filter}”`}
        action={<Button onClick={() => void setFilter(null)}>Clear the filter</Button>}
      />
    );
  } else {
    content = (
      <>
        <div className="hidden md:block">
          <ModelsTable models={found} byModel={live.byModel} actions={actions} />
        </div>
        <div className="md:hidden">
          <ModelsCards models={found} byModel={live.byModel} actions={actions} />
        </div>
      </>
    );
  }

  return (
    <div className="space-y-4">
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <div>
          <h1 className="font-semibold text-xl tracking-tight">Models</h1>
          <p className="min-h-5 text-ink-soft">{models === undefined ? null : modelsSentence(models)}</p>
        </div>
        <div className="flex w-full flex-wrap items-center gap-3 sm:w-auto">
          {canDeploy ? (
            <Button asChild tone="primary">
              <Link href="/deploy">
                <UploadCloud aria-hidden />
                Deploy
              </Link>
            </Button>
          ) : null}
          <search className="relative block w-full sm:w-72">
            <Search aria-hidden className="pointer-events-none absolute top-2.5 left-2.5 size-4 text-ink-soft" />
            <Input
              type="search"
              aria-label="Filter by name, backend or state"
              value={filter}
              placeholder="Filter by name, backend or state"
              className="pl-8.5"
              onChange={(event) => void setFilter(event.target.value || null)}
            />
          </search>
        </div>
      </div>
      <LiveBanner facts={live.facts} onRetry={live.restart} />
      <Card flush>{content}</Card>
      {canDeploy ? <DropAnywhere /> : null}
    </div>
  );
}

function ListSkeleton() {
  return (
    <div role="status" className="space-y-3 p-4">
      <span className="sr-only">Loading models</span>
      {["a", "b", "c", "d"].map((key) => (
        <Skeleton key={key} className="h-11" />
      ))}
    </div>
  );
}
