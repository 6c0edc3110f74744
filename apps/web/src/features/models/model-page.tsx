"use client";

import { Skeleton } from "@nereid/ui";
import { useQueryStates } from "nuqs";
import { shownError } from "../../lib/api-error.ts";
import { RecentAuditCard } from "../audit/recent-audit-card.tsx";
import { FigureTiles } from "../latency/figure-tiles.tsx";
import { LatencyCard } from "../latency/latency-card.tsx";
import { modelSearchParams } from "../latency/search-params.ts";
import { useLiveLatency } from "../latency/use-live-latency.ts";
import { OtherNodesCard } from "../nodes/other-nodes-card.tsx";
import { LiveBanner } from "../shell/live-banner.tsx";
import { QueryError } from "../shell/query-error.tsx";
import { InstancesCard } from "./instances-card.tsx";
import { NoSuchModel } from "./model-frame.tsx";
import { ModelHeader } from "./model-header.tsx";
import { ModelTabs } from "./model-tabs.tsx";
import { SignatureCard } from "./signature-card.tsx";
import { useModelActions } from "./use-model-actions.ts";
import { useModelDetail } from "./use-model-detail.ts";

/** One model: where its time goes, what runs it, what it takes, what was done to it. */
export function ModelPage({ name }: { readonly name: string }) {
  const [{ version }, setParams] = useQueryStates(modelSearchParams);
  const actions = useModelActions();
  const detail = useModelDetail(name, { hurry: actions.pendingOf(name) === "load" });
  const live = useLiveLatency({ model: name, ...(version === null ? {} : { version }) });
  const retry = () => void detail.refetch();

  if (detail.isError && shownError(detail.error).code === "NOT_FOUND") {
    return <NoSuchModel name={name} />;
  }
  const model = detail.data?.status;
  return (
    <div className="space-y-4">
      {model === undefined ? (
        <>
          <h1 className="font-semibold text-xl tracking-tight [overflow-wrap:anywhere]">{name}</h1>
          {detail.isError ? (
            <QueryError error={detail.error} onRetry={retry} retrying={detail.isFetching} />
          ) : (
            <Skeleton className="h-12" />
          )}
        </>
      ) : (
        <ModelHeader
          model={model}
          actions={actions}
          requestsPerSecond={live.figures?.requestsPerSecond ?? 0}
          value={version}
          onChange={(next) => void setParams({ version: next }, { history: "push" })}
        />
      )}
      <ModelTabs name={name} current="overview" />
      <LiveBanner facts={live.facts} onRetry={live.restart} />
      <FigureTiles figures={live.figures} />
      <LatencyCard key={`${name} ${version ?? ""}`} live={live} model={name} />
      {model === undefined ? null : (
        <div className="grid items-start gap-4 xl:grid-cols-2">
          <InstancesCard model={model} version={version} />
          <div className="grid gap-4">
            <SignatureCard signature={detail.data?.signature ?? null} />
            <OtherNodesCard name={name} />
            <RecentAuditCard model={name} />
          </div>
        </div>
      )}
    </div>
  );
}
