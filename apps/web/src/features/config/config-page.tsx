"use client";

import { Banner, Button, Skeleton } from "@nereid/ui";
import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "../../lib/trpc.tsx";
import { ModelFrame } from "../models/model-frame.tsx";
import { QueryError } from "../shell/query-error.tsx";
import { ConfigWorkspace } from "./config-workspace.tsx";

/** How often the file on the disk is looked at, in milliseconds: others may change it. */
const REFRESH_MS = 10_000;

/** The configuration of one model: read it, change it, see what that does, take it back. */
export function ConfigPage({ name }: { readonly name: string }) {
  const trpc = useTRPC();
  const config = useQuery(trpc.config.get.queryOptions({ name }, { refetchInterval: REFRESH_MS }));
  const retry = () => void config.refetch();
  return (
    <ModelFrame name={name} current="config">
      {config.data === undefined ? (
        config.isError ? (
          <QueryError error={config.error} onRetry={retry} retrying={config.isFetching} />
        ) : (
          <div className="grid gap-4 xl:grid-cols-[minmax(0,1fr)_26rem]">
            <Skeleton className="h-[32rem]" />
            <Skeleton className="h-64" />
          </div>
        )
      ) : (
        <>
          {config.isError ? (
            <Banner tone="warn">
              <span className="mr-3">The file could not be read again; what is shown is from before.</span>
              <Button size="small" busy={config.isFetching} onClick={retry}>
                Try again
              </Button>
            </Banner>
          ) : null}
          <ConfigWorkspace key={name} name={name} served={config.data} />
        </>
      )}
    </ModelFrame>
  );
}
