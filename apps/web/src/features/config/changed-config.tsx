"use client";

import { Button, Message, Skeleton } from "@nereid/ui";
import { ConfigDiff } from "@nereid/ui/config-editor";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import Link from "../../lib/link.tsx";
import { useTRPC } from "../../lib/trpc.tsx";
import { modelPath } from "../models/model-name-cell.tsx";
import { QueryError } from "../shell/query-error.tsx";
import type { Served } from "./draft.ts";
import { useConfigDraft } from "./use-config-draft.ts";

export interface ChangedConfigProps {
  readonly model: string;
  /** What the served text and the written one are called above their differences. */
  readonly labels: { readonly before: string; readonly after: string };
  /** What is done with the written text; remounted when the file becomes another. */
  readonly children: (change: { readonly text: string; readonly served: Served }) => ReactNode;
}

/** What is being written on the model's page Configuration, put to another use than applying it: its differences, then `children`. */
export function ChangedConfig(props: ChangedConfigProps) {
  const trpc = useTRPC();
  const query = useQuery(trpc.config.get.queryOptions({ name: props.model }));
  if (query.data === undefined) {
    return query.isError ? (
      <QueryError error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />
    ) : (
      <Skeleton className="mt-4 h-40" />
    );
  }
  return <Drafted {...props} served={query.data} />;
}

function Drafted({ model, labels, children, served }: ChangedConfigProps & { readonly served: Served }) {
  const { state } = useConfigDraft(model, served);
  const edit = (
    <Button asChild>
      <Link href={`${modelPath(model)}/config`}>Configuration of {model}</Link>
    </Button>
  );
  if (state.kind === "clean") {
    return (
      <Message kind="empty" title="Nothing is changed yet" action={edit}>
        Write the new configuration on its page, without applying it. It stands here then.
      </Message>
    );
  }
  if (state.kind === "conflict") {
    return (
      <Message kind="empty" title="The file was changed meanwhile" action={edit}>
        Put your changes on top of it first.
      </Message>
    );
  }
  return (
    <>
      <div className="mt-4 space-y-2">
        <ConfigDiff
          before={served.text}
          after={state.text}
          beforeLabel={labels.before}
          afterLabel={labels.after}
          mode="unified"
        />
        {edit}
      </div>
      <div key={served.digest}>{children({ text: state.text, served })}</div>
    </>
  );
}
