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
import { StartForm } from "./start-form.tsx";

export interface ConfigStartProps {
  readonly model: string;
  /** Served ones, lowest first. */
  readonly versions: readonly string[];
}

/** What is being written on the model's page Configuration, as a rollout instead of at once. */
export function ConfigStart({ model, versions }: ConfigStartProps) {
  const trpc = useTRPC();
  const query = useQuery(trpc.config.get.queryOptions({ name: model }));
  if (query.data === undefined) {
    return query.isError ? (
      <QueryError error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />
    ) : (
      <Skeleton className="mt-4 h-40" />
    );
  }
  return <DraftStart model={model} versions={versions} served={query.data} />;
}

function DraftStart({ model, versions, served }: ConfigStartProps & { readonly served: Served }) {
  const { state } = useConfigDraft(model, served);
  const edit = (
    <Button asChild>
      <Link href={`${modelPath(model)}/config`}>Configuration of {model}</Link>
    </Button>
  );
  if (versions.length === 0) {
    return (
      <Message kind="empty" title="No version is served">
        There is nothing to compare with. Load the model first.
      </Message>
    );
  }
  if (state.kind !== "changed") {
    return (
      <Message
        kind="empty"
        title={state.kind === "clean" ? "Nothing is changed yet" : "The file was changed meanwhile"}
        action={edit}
      >
        {state.kind === "clean"
          ? "Write the new configuration on its page, without applying it. It stands here then."
          : "Put your changes on top of it first."}
      </Message>
    );
  }
  return (
    <>
      <div className="mt-4 space-y-2">
        <ConfigDiff
          before={served.text}
          after={state.text}
          beforeLabel="The file now"
          afterLabel="The candidate"
          mode="unified"
        />
        {edit}
      </div>
      <StartForm
        key={served.digest}
        model={model}
        versions={versions}
        config={{ text: state.text, ifDigest: served.digest }}
      />
    </>
  );
}
