"use client";

import type { SloRecord } from "@nereid/services";
import { Card, ConfirmDialog, Message, Skeleton } from "@nereid/ui";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { parseAsString, useQueryStates } from "nuqs";
import { useState } from "react";
import { toast } from "sonner";
import { useTRPC } from "../../lib/trpc.tsx";
import { SettingsFrame } from "../settings/settings-frame.tsx";
import { useChange } from "../settings/use-change.ts";
import { QueryError } from "../shell/query-error.tsx";
import { useSession } from "../shell/session-context.tsx";
import { SloForm } from "./slo-form.tsx";
import { SloTable } from "./slo-table.tsx";

const REFRESH_MS = 10_000;

/** What is promised of the models. */
export function SlosPage() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const change = useChange();
  const allowed = useSession().permissions.includes("slo.manage");
  const [{ model, edit }, setParams] = useQueryStates({ model: parseAsString, edit: parseAsString });
  const [removing, setRemoving] = useState<SloRecord>();
  const query = useQuery(trpc.slos.list.queryOptions({}, { refetchInterval: REFRESH_MS }));
  const anew = () => queryClient.invalidateQueries({ queryKey: trpc.slos.pathKey() });
  const save = useMutation(
    trpc.slos.save.mutationOptions({
      ...change,
      onSuccess: (slo) => {
        toast.success(`${slo.name} is set`);
        void setParams({ edit: null });
        void anew();
      },
    }),
  );
  const remove = useMutation(
    trpc.slos.remove.mutationOptions({
      ...change,
      onSuccess: ({ id: _id, createdByName: _by, ...fields }) => {
        void anew();
        toast.success(`${fields.name} is removed`, {
          duration: 10_000,
          action: { label: "Undo", onClick: () => save.mutate(fields) },
        });
      },
    }),
  );
  const editing = query.data?.find(({ slo }) => slo.id === edit)?.slo;
  return (
    <SettingsFrame current="slos">
      {!allowed ? null : editing === undefined ? (
        <SloForm key="new" model={model} busy={save.isPending} onSave={(input) => save.mutate(input)} />
      ) : (
        <SloForm
          key={editing.id}
          slo={editing}
          busy={save.isPending}
          onSave={(input) => save.mutate({ ...input, id: editing.id })}
          onCancel={() => void setParams({ edit: null })}
        />
      )}
      <Card flush title="Objectives" hint="Worst first. Alerts are raised when a budget is used up too fast.">
        {query.data === undefined ? (
          query.isError ? (
            <QueryError error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />
          ) : (
            <Skeleton className="m-4 h-32" />
          )
        ) : query.data.length === 0 ? (
          <Message kind="empty" title="Nothing is promised yet">
            An objective says how many requests of a model must be answered, and how soon. Goodput and alerts follow
            from it.
          </Message>
        ) : (
          <SloTable
            rows={query.data}
            onEdit={({ id }) => void setParams({ edit: id }, { history: "push" })}
            onRemove={setRemoving}
          />
        )}
      </Card>
      <ConfirmDialog
        open={removing !== undefined}
        onOpenChange={(open) => {
          if (!open) setRemoving(undefined);
        }}
        title={`Remove ${removing?.name ?? ""}?`}
        action="Remove"
        onConfirm={() => {
          if (removing !== undefined) remove.mutate({ id: removing.id });
        }}
      >
        <p>Its alerts close, and no more are raised. You can undo this right after.</p>
      </ConfirmDialog>
    </SettingsFrame>
  );
}
