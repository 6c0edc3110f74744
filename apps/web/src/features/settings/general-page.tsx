"use client";

import { Button, Card, Field, formatNumber, Message, Skeleton } from "@nereid/ui";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { toast } from "sonner";
import { useTRPC } from "../../lib/trpc.tsx";
import { QueryError } from "../shell/query-error.tsx";
import { useSession } from "../shell/session-context.tsx";
import { SettingsFrame } from "./settings-frame.tsx";
import { useChange } from "./use-change.ts";

/** Settings of the whole installation. */
export function GeneralPage() {
  const allowed = useSession().permissions.includes("settings.manage");
  return (
    <SettingsFrame current="general">
      <Card
        title="How long measurements are kept"
        hint="Seconds are kept for an hour, ten seconds for a day, minutes as chosen here."
      >
        {allowed ? (
          <RetentionForm />
        ) : (
          <Message kind="forbidden" title="Only administrators change settings of the installation" />
        )}
      </Card>
    </SettingsFrame>
  );
}

function RetentionForm() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const change = useChange();
  const query = useQuery(trpc.settings.retention.queryOptions());
  const [typed, setTyped] = useState<string>();
  const save = useMutation(
    trpc.settings.saveRetention.mutationOptions({
      ...change,
      onSuccess: (kept) => {
        queryClient.setQueryData(trpc.settings.retention.queryKey(), kept);
        setTyped(undefined);
        toast.success(`Minutes are kept for ${kept.historyDays} days`);
      },
    }),
  );
  if (query.data === undefined) {
    return query.isError ? (
      <QueryError error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />
    ) : (
      <Skeleton className="h-24" />
    );
  }
  const { historyDays, chunks } = query.data;
  const text = typed ?? String(historyDays);
  const days = Number(text);
  const good = Number.isInteger(days) && days >= 1 && days <= 3650;
  return (
    <form
      className="space-y-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (good) save.mutate({ historyDays: days });
      }}
    >
      <div className="max-w-xs">
        <Field
          label="Days"
          inputMode="numeric"
          value={text}
          error={good ? undefined : "A whole number from 1 to 3650."}
          hint="Fewer days throw away what is older within some minutes; it does not come back."
          onChange={(event) => setTyped(event.target.value)}
        />
      </div>
      <p className="text-ink-soft">
        {formatNumber(chunks)} rows of history are kept now. A model that is busy all the time takes about 8 MiB in 30
        days.
      </p>
      <Button type="submit" tone="primary" busy={save.isPending} disabled={!good || days === historyDays}>
        Save
      </Button>
    </form>
  );
}
