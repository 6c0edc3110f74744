"use client";

import { Button, Message, Skeleton } from "@nereid/ui";
import { ConfigDiff } from "@nereid/ui/config-editor";
import { useQuery } from "@tanstack/react-query";
import Link from "../../lib/link.tsx";
import { useTRPC } from "../../lib/trpc.tsx";
import type { Served } from "../config/draft.ts";
import { useConfigDraft } from "../config/use-config-draft.ts";
import { modelPath } from "../models/model-name-cell.tsx";
import { QueryError } from "../shell/query-error.tsx";
import { ExperimentForm } from "./experiment-form.tsx";

/** What is being written on the model's page Configuration, as an experiment. */
export function ExperimentStart({ model }: { readonly model: string }) {
  const trpc = useTRPC();
  const query = useQuery(trpc.config.get.queryOptions({ name: model }));
  if (query.data === undefined) {
    return query.isError ? (
      <QueryError error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />
    ) : (
      <Skeleton className="mt-4 h-40" />
    );
  }
  return <DraftStart model={model} served={query.data} />;
}

function DraftStart({ model, served }: { readonly model: string; readonly served: Served }) {
  const { state } = useConfigDraft(model, served);
  const edit = (
    <Button asChild>
      <Link href={`${modelPath(model)}/config`}>Configuration of {model}</Link>
    </Button>
  );
  if (state.kind !== "changed") {
    return (
      <Message
        kind="empty"
        title={state.kind === "clean" ? "Nothing is changed yet" : "The file was changed meanwhile"}
        action={edit}
      >
        {state.kind === "clean"
          ? "Write the change on the page Configuration, without applying it. It stands here then."
          : "Put your changes on top of it first."}
      </Message>
    );
  }
  return (
    <>
      <div className="mt-4 space-y-2">
        <ConfigDiff before={served.text} after={state.text} beforeLabel="As it is" afterLabel="Changed" />
        {edit}
      </div>
      <ExperimentForm key={served.digest} compared={{ model, served, change: state.text }} />
    </>
  );
}
