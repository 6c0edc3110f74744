"use client";

import type { FixtureRecord, TryRequest } from "@nereid/services";
import { Button, Card, Field, formatBytes, Message, Skeleton } from "@nereid/ui";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { toast } from "sonner";
import { useTRPC, useTRPCClient } from "../../lib/trpc.tsx";
import { useChange } from "../settings/use-change.ts";
import { QueryError } from "../shell/query-error.tsx";

export interface FixturesCardProps {
  readonly model: string;
  /** What would be kept; null while the form has mistakes. */
  readonly request: TryRequest | null;
  readonly allowed: boolean;
  readonly onRun: (fixture: FixtureRecord) => void;
}

/** Requests that are kept with a name, for everybody: to be sent again here, by load tests and by canary checks. */
export function FixturesCard({ model, request, allowed, onRun }: FixturesCardProps) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  const change = useChange();
  const [name, setName] = useState("");
  const query = useQuery(trpc.fixtures.list.queryOptions({ model }));
  const anew = () => queryClient.invalidateQueries({ queryKey: trpc.fixtures.pathKey() });
  const save = useMutation(
    trpc.fixtures.save.mutationOptions({
      ...change,
      onSuccess: (fixture) => {
        setName("");
        toast.success(`${fixture.name} is kept`);
        void anew();
      },
    }),
  );
  const remove = useMutation(
    trpc.fixtures.remove.mutationOptions({
      ...change,
      onSuccess: (fixture) => {
        void anew();
        toast.success(`${fixture.name} is deleted`, {
          duration: 10_000,
          action: {
            label: "Undo",
            onClick: () => save.mutate({ model, name: fixture.name, request: fixture.request }),
          },
        });
      },
    }),
  );
  const run = useMutation({
    mutationFn: (one: string) => client.fixtures.get.query({ model, name: one }),
    onSuccess: onRun,
    onError: change.onError,
  });
  return (
    <Card flush title="Fixtures" hint="Requests kept with a name, for everybody, load tests and canary checks.">
      {!allowed ? null : (
        <form
          className="flex flex-wrap items-end gap-2 border-b px-4 py-3"
          onSubmit={(event) => {
            event.preventDefault();
            if (request !== null && name.trim() !== "") save.mutate({ model, name: name.trim(), request });
          }}
        >
          <div className="min-w-0 grow">
            <Field
              label="Keep this request as"
              value={name}
              maxLength={80}
              onChange={({ target }) => setName(target.value)}
            />
          </div>
          <Button type="submit" className="h-9" busy={save.isPending} disabled={request === null || name.trim() === ""}>
            Keep
          </Button>
        </form>
      )}
      {query.data === undefined ? (
        query.isError ? (
          <QueryError error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />
        ) : (
          <Skeleton className="m-4 h-16" />
        )
      ) : query.data.length === 0 ? (
        <Message kind="empty" title="None is kept" className="py-6" />
      ) : (
        <ul aria-label="Fixtures" className="max-h-72 overflow-y-auto">
          {query.data.map((row) => (
            <li key={row.name} className="flex flex-wrap items-center gap-2 border-b px-4 py-2 last:border-b-0">
              <span className="min-w-0 grow [overflow-wrap:anywhere]">
                {row.name}{" "}
                <span className="text-[0.857rem] text-ink-soft">
                  {row.inputs.map((one) => `${one.name} [${one.shape.join(", ")}]`).join(", ")},{" "}
                  {formatBytes(row.bytes)}, by {row.authorName}
                </span>
              </span>
              {!allowed ? null : (
                <>
                  <Button size="small" aria-label={`Run ${row.name}`} onClick={() => run.mutate(row.name)}>
                    Run
                  </Button>
                  <Button
                    size="small"
                    tone="quiet"
                    aria-label={`Delete ${row.name}`}
                    onClick={() => remove.mutate({ model, name: row.name })}
                  >
                    Delete
                  </Button>
                </>
              )}
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
