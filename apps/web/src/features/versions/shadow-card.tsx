"use client";

import { Banner, Button, Card, ConfirmDialog, Skeleton } from "@nereid/ui";
import { useQuery } from "@tanstack/react-query";
import { Copy } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useTRPC } from "../../lib/trpc.tsx";
import { GuardedButton } from "../models/guarded-button.tsx";
import { QueryError } from "../shell/query-error.tsx";
import { ShadowFigures } from "./shadow-figures.tsx";
import { ShadowForm } from "./shadow-form.tsx";
import { useShadowActions } from "./use-shadow-actions.ts";

const REFRESH_MS = 3_000;

/** Requests that another version or a candidate answers too, for nobody but this card: how far its answers are from the model's. */
export function ShadowCard({ name }: { readonly name: string }) {
  const trpc = useTRPC();
  const query = useQuery(trpc.shadow.get.queryOptions({ name }, { refetchInterval: REFRESH_MS }));
  const actions = useShadowActions(name);
  const [editing, setEditing] = useState(false);
  const [asking, setAsking] = useState(false);
  const buttons = useRef<HTMLDivElement>(null);
  const wasEditing = useRef(false);
  useEffect(() => {
    // The form takes the focus away with it.
    if (wasEditing.current && !editing) buttons.current?.querySelector("button")?.focus();
    wasEditing.current = editing;
  }, [editing]);
  const { data } = query;
  const retry = () => void query.refetch();

  let content: ReactNode;
  if (data === undefined) {
    content = query.isError ? (
      <QueryError error={query.error} onRetry={retry} retrying={query.isFetching} />
    ) : (
      <Skeleton className="h-16" />
    );
  } else if (editing) {
    content = (
      <ShadowForm
        targets={data.targets}
        target={data.shadow?.target ?? null}
        busy={actions.busy}
        onStart={(wish) => actions.start(wish, () => setEditing(false))}
        onCancel={() => setEditing(false)}
      />
    );
  } else if (data.shadow === null) {
    content = (
      <p className="text-ink-soft">
        Nothing is mirrored. A share of the requests can be given to another version or a candidate too: clients get the
        model’s own answers, and here the two are compared.
      </p>
    );
  } else {
    content = <ShadowFigures shadow={data.shadow} />;
  }
  const running = data !== undefined && data.shadow !== null && !editing;
  return (
    <Card
      title="Shadow"
      aria-label="Shadow"
      hint="Requests that another version or a candidate answers too, unseen by clients."
      flush={running}
      actions={
        data === undefined || editing ? null : (
          <div ref={buttons} className="flex flex-wrap items-center gap-2">
            <GuardedButton
              permission="rollout.manage"
              refusal={data.targets.length === 0 ? "Nothing is served that could answer." : null}
              disabled={actions.busy}
              onClick={() => setEditing(true)}
            >
              <Copy aria-hidden />
              {data.shadow === null ? "Mirror requests" : "Begin anew"}
            </GuardedButton>
            {data.shadow === null ? null : (
              <GuardedButton permission="rollout.manage" busy={actions.busy} onClick={() => setAsking(true)}>
                Stop mirroring
              </GuardedButton>
            )}
          </div>
        )
      }
    >
      {query.isError && data !== undefined ? (
        <Banner tone="warn">
          <span className="mr-3">The figures could not be read again; they are from before.</span>
          <Button size="small" busy={query.isFetching} onClick={retry}>
            Try again
          </Button>
        </Banner>
      ) : null}
      {content}
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={`Stop mirroring requests of ${name}?`}
        action="Stop mirroring"
        onConfirm={() => actions.stop(() => setAsking(false))}
      >
        <p>What was counted and compared so far is dropped; the audit trail keeps how many answers agreed.</p>
      </ConfirmDialog>
    </Card>
  );
}
