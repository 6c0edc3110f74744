"use client";

import type { ShapeRow, VersionShapes } from "@nereid/client";
import { Banner, Message, Skeleton } from "@nereid/ui";
import { useQuery } from "@tanstack/react-query";
import { useQueryStates } from "nuqs";
import { useState } from "react";
import { useTRPC } from "../../lib/trpc.tsx";
import { ConfigChange } from "../instances/config-change.tsx";
import { ModelFrame } from "../models/model-frame.tsx";
import { useModelDetail } from "../models/use-model-detail.ts";
import { VersionPicker } from "../models/version-picker.tsx";
import { QueryError } from "../shell/query-error.tsx";
import { BucketsCard } from "./buckets-card.tsx";
import { shapesSearchParams } from "./search-params.ts";
import { ShapesCard } from "./shapes-card.tsx";
import { withWarmUp } from "./warm-up-edit.ts";

const REFRESH_MS = 5_000;

/** Which shapes requests have, what that costs, and what to do about it. */
export function ShapesPage({ name }: { readonly name: string }) {
  const trpc = useTRPC();
  const [{ version }, setView] = useQueryStates(shapesSearchParams);
  const query = useQuery(trpc.shapes.get.queryOptions({ name }, { refetchInterval: REFRESH_MS }));
  const config = useQuery(trpc.config.get.queryOptions({ name }));
  const status = useModelDetail(name).data?.status;
  const [proposed, setProposed] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const versions = (query.data?.versions ?? []).filter((one) => version === null || one.version === version);
  const pin = (of: VersionShapes, row: ShapeRow) => {
    setProblem(null);
    if (config.data === undefined) return setProblem("The configuration could not be read.");
    try {
      setProposed(withWarmUp(config.data.text, row.inputs, of));
    } catch (error) {
      setProblem(error instanceof Error ? error.message : "The sample could not be added.");
    }
  };
  return (
    <ModelFrame name={name} current="shapes">
      {query.isError && query.data !== undefined ? (
        <Banner tone="warn">The shapes could not be read again. What is shown is from before.</Banner>
      ) : null}
      {problem === null ? null : <Banner tone="bad">{problem}</Banner>}
      {config.data === undefined ? null : (
        <ConfigChange model={name} served={config.data} text={proposed} onClose={() => setProposed(null)} />
      )}
      {query.data === undefined ? (
        query.isError ? (
          <QueryError error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />
        ) : (
          <Skeleton className="h-64" />
        )
      ) : (
        <>
          {status === undefined || status.versions.length < 2 ? null : (
            <VersionPicker
              model={status}
              value={version}
              onChange={(next) => void setView({ version: next }, { history: "push" })}
            />
          )}
          {versions.length === 0 ? (
            <Message
              kind="empty"
              title={version === null ? "No version is loaded" : `Version ${version} is not loaded`}
            >
              Shapes are counted from the load of a version on.
            </Message>
          ) : (
            versions.map((one) => (
              <div key={one.version} className="space-y-4">
                <ShapesCard model={name} version={one} onPin={(row) => pin(one, row)} />
                <BucketsCard version={one} />
              </div>
            ))
          )}
        </>
      )}
    </ModelFrame>
  );
}
