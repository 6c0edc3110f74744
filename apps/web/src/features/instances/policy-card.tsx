"use client";

import type { ModelConfigState } from "@nereid/client";
import { Banner, Card, Field, Message, Skeleton } from "@nereid/ui";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import Link from "../../lib/link.tsx";
import { useTRPC } from "../../lib/trpc.tsx";
import { GuardedButton } from "../models/guarded-button.tsx";
import { modelPath } from "../models/model-name-cell.tsx";
import { QueryError } from "../shell/query-error.tsx";
import { useSession } from "../shell/session-context.tsx";
import { ConfigChange } from "./config-change.tsx";
import { editPolicy, type PolicyValues, readPolicy } from "./policy-edits.ts";

const FIELDS: readonly (readonly [Exclude<keyof PolicyValues, "levelTimeouts">, string, string])[] = [
  ["count", "Instances", "Of the first group. Changed while the model serves."],
  ["delay", "Longest wait for a batch, µs", "max_queue_delay_microseconds; empty = none"],
  ["preferred", "Preferred batch sizes", "Such as 4, 8; empty = the largest size"],
  ["maxQueue", "Most requests in the queue", "max_queue_size; empty = no limit"],
  ["timeout", "Time-out in the queue, µs", "default_timeout_microseconds; empty = none"],
];

/** The number of instances and the policy of queue and batcher, as a change of the configuration. */
export function PolicyCard({ model }: { readonly model: string }) {
  const trpc = useTRPC();
  const config = useQuery(trpc.config.get.queryOptions({ name: model }));
  return (
    <Card
      title="Change it"
      hint="Edits the configuration: what differs is shown before anything is applied, and it can be undone."
      actions={
        <Link className="text-[0.857rem] text-accent underline underline-offset-2" href={`${modelPath(model)}/config`}>
          Everything else
        </Link>
      }
    >
      {config.data === undefined ? (
        config.isError ? (
          <QueryError error={config.error} onRetry={() => void config.refetch()} retrying={config.isFetching} />
        ) : (
          <Skeleton className="h-40" />
        )
      ) : (
        <PolicyForm key={config.data.digest} model={model} served={config.data} />
      )}
    </Card>
  );
}

function PolicyForm({ model, served }: { readonly model: string; readonly served: ModelConfigState }) {
  const have = readPolicy(served.text);
  const [typed, setTyped] = useState<PolicyValues | null>(null);
  const [proposed, setProposed] = useState<string | null>(null);
  const readOnly = !useSession().permissions.includes("model.configure");
  if (have === null)
    return (
      <Message kind="error" title="The configuration has mistakes">
        Mend them on the page Config first.
      </Message>
    );
  const values = typed ?? have;
  const edit = editPolicy(served.text, values);
  return (
    <form
      className="space-y-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (edit.kind === "text" && !readOnly) setProposed(edit.text);
      }}
    >
      <div className="grid gap-x-4 gap-y-3 sm:grid-cols-2 xl:grid-cols-5">
        {FIELDS.map(([field, label, hint]) => (
          <Field
            key={field}
            label={label}
            hint={hint}
            inputMode={field === "preferred" ? "text" : "numeric"}
            readOnly={readOnly}
            value={values[field]}
            error={edit.kind === "wrong" && edit.field === field ? edit.message : undefined}
            onChange={(event) => setTyped({ ...values, [field]: event.target.value })}
          />
        ))}
        {values.levelTimeouts.map((timeout, at) => {
          const level = at + 1;
          return (
            <Field
              key={`level ${level}`}
              label={`Time-out of priority ${level}, µs`}
              hint="Instead of the one for all; empty = none"
              inputMode="numeric"
              readOnly={readOnly}
              value={timeout}
              error={edit.kind === "wrong" && edit.field === level ? edit.message : undefined}
              onChange={(event) =>
                setTyped({ ...values, levelTimeouts: values.levelTimeouts.with(at, event.target.value) })
              }
            />
          );
        })}
      </div>
      {edit.kind === "wrong" && edit.field === null ? <Banner tone="bad">{edit.message}</Banner> : null}
      <ConfigChange model={model} served={served} text={proposed} onClose={() => setProposed(null)} />
      <div className="flex flex-wrap items-center gap-3">
        <GuardedButton
          permission="model.configure"
          refusal={edit.kind === "same" ? "Nothing is changed." : edit.kind === "wrong" ? edit.message : null}
          onClick={() => {
            if (edit.kind === "text") setProposed(edit.text);
          }}
        >
          Review the change
        </GuardedButton>
      </div>
    </form>
  );
}
