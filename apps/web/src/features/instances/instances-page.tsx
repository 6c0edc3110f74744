"use client";

import type { ModelBatching } from "@nereid/services";
import { Banner, Button, formatNumber, formatShare, Message, Skeleton, StatTile, ToggleGroup } from "@nereid/ui";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useQueryStates } from "nuqs";
import { useTRPC } from "../../lib/trpc.tsx";
import { ModelFrame } from "../models/model-frame.tsx";
import { useModelDetail } from "../models/use-model-detail.ts";
import { VersionPicker } from "../models/version-picker.tsx";
import { QueryError } from "../shell/query-error.tsx";
import { ClosedCard, RefusalsCard, SizesCard, WaitCard } from "./batches-cards.tsx";
import { InstanceTable } from "./instance-table.tsx";
import { judgeBatching } from "./judge-batching.ts";
import { PolicyCard } from "./policy-card.tsx";
import { instancesSearchParams, SPAN_SECONDS, SPANS } from "./search-params.ts";
import { factsOfSeconds, factsSinceLoad } from "./span-facts.ts";
import { WhatIfCard } from "./what-if-card.tsx";

/** Often enough to see the busy bars move. */
const REFRESH_MS = 2_000;

const SPAN_OPTIONS = SPANS.map((value) => ({ value, label: value === "load" ? "Since load" : value }));

/** Is it the instances or the batcher? What each instance does, how batches come about, and how to change both. */
export function InstancesPage({ name }: { readonly name: string }) {
  const trpc = useTRPC();
  const [{ version, span }, setParams] = useQueryStates(instancesSearchParams);
  const query = useQuery(
    trpc.batching.get.queryOptions(
      { name, seconds: SPAN_SECONDS[span], ...(version === null ? {} : { version }) },
      { refetchInterval: REFRESH_MS, placeholderData: keepPreviousData },
    ),
  );
  const { data } = query;
  const status = useModelDetail(name).data?.status;
  return (
    <ModelFrame name={name} current="instances">
      {query.isError && data !== undefined ? (
        <Banner tone="warn">The facts could not be read again. What is shown is from before.</Banner>
      ) : null}
      {data === undefined ? (
        query.isError ? (
          <QueryError error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />
        ) : (
          <div className="grid gap-4">
            <Skeleton className="h-24" />
            <Skeleton className="h-64" />
          </div>
        )
      ) : data.versions.length === 0 ? (
        <Message
          kind="empty"
          title={version === null ? "No version is loaded" : `Version ${version} is not loaded`}
          action={
            version === null ? undefined : (
              <Button onClick={() => void setParams({ version: null })}>Show all versions</Button>
            )
          }
        >
          Instances and batches are there once the model serves.
        </Message>
      ) : (
        <>
          <div className="flex flex-wrap items-center justify-between gap-2">
            <ToggleGroup
              label="Span of the batches"
              value={span}
              options={SPAN_OPTIONS}
              onChange={(next) => void setParams({ span: next })}
            />
            {status === undefined ? null : (
              <VersionPicker
                model={status}
                value={version}
                onChange={(next) => void setParams({ version: next }, { history: "push" })}
              />
            )}
          </div>
          {data.versions.map((one) => (
            <VersionFacts
              key={one.version}
              model={name}
              data={data}
              version={one}
              sinceLoad={span === "load" || data.versions.length > 1}
            />
          ))}
        </>
      )}
      <PolicyCard model={name} />
    </ModelFrame>
  );
}

interface VersionFactsProps {
  readonly model: string;
  readonly data: ModelBatching;
  readonly version: ModelBatching["versions"][number];
  /** Seconds are told for all versions together; of one among several only the sums since its load are its own. */
  readonly sinceLoad: boolean;
}

function VersionFacts({ model, data, version, sinceLoad }: VersionFactsProps) {
  const facts = sinceLoad ? factsSinceLoad(version) : factsOfSeconds(data.seconds);
  const verdict = judgeBatching(version, facts, version.pending);
  const mean = facts.executions === 0 ? null : facts.inferences / facts.executions;
  return (
    <div className="space-y-4">
      <section
        aria-label={`Verdict on version ${version.version}`}
        className="rounded-lg border bg-panel px-4 py-3 shadow-panel"
      >
        <h2 className="font-semibold">{verdict.title}</h2>
        <p className="max-w-prose text-ink-soft">{verdict.text}</p>
      </section>
      <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-lg border bg-line lg:grid-cols-4">
        <StatTile
          label="Busy"
          value={formatShare(facts.busy)}
          note={sinceLoad ? "mean of instances, last 60 s" : "mean of instances, in the span"}
        />
        <StatTile label="Mean batch" value={formatNumber(mean)} note={`${formatNumber(facts.executions)} executions`} />
        <StatTile label="Waiting now" value={formatNumber(version.pending)} note="requests" />
        <StatTile
          label="Refused"
          value={formatNumber(facts.refused)}
          note={sinceLoad ? "since the load" : "in the span"}
        />
      </dl>
      <InstanceTable model={model} version={version} />
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <SizesCard version={version} facts={facts} />
        <ClosedCard version={version} facts={facts} />
        <WaitCard bins={version.waitBins} />
        <RefusalsCard version={version} />
      </div>
      {version.scheduler === "default" || version.scheduler === "dynamic" ? (
        <WhatIfCard model={model} version={version} />
      ) : null}
    </div>
  );
}
