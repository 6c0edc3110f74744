"use client";

import { Message, Skeleton } from "@nereid/ui";
import { useHydrated } from "../../lib/use-hydrated.ts";
import { ModelFrame } from "../models/model-frame.tsx";
import { useModelDetail } from "../models/use-model-detail.ts";
import { useNode } from "../nodes/node-context.tsx";
import { QueryError } from "../shell/query-error.tsx";
import { PlaygroundForm } from "./playground-form.tsx";

/** What the model answers, and where the time goes. */
export function PlaygroundPage({ name }: { readonly name: string }) {
  const detail = useModelDetail(name);
  const hydrated = useHydrated();
  const { id } = useNode();
  const { data } = detail;
  return (
    <ModelFrame name={name} current="playground">
      {data === undefined ? (
        detail.isError ? (
          <QueryError error={detail.error} onRetry={() => void detail.refetch()} retrying={detail.isFetching} />
        ) : (
          <Skeleton className="h-96" />
        )
      ) : data.signature === null ? (
        <Message kind="empty" title="No version is ready">
          Load the model to send it requests.
        </Message>
      ) : !hydrated ? (
        // What the browser keeps is not known before.
        <Skeleton className="h-96" />
      ) : (
        <PlaygroundForm
          // Another signature is another form.
          key={`${id ?? ""} ${JSON.stringify(data.signature.inputs)}`}
          name={name}
          status={data.status}
          signature={data.signature}
        />
      )}
    </ModelFrame>
  );
}
