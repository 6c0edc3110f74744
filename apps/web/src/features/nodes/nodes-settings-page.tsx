"use client";

import type { NodeRow } from "@nereid/services";
import { Badge, Button, Card, ConfirmDialog, Message, Skeleton, Table, Td, Th, Tr } from "@nereid/ui";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { toast } from "sonner";
import Link from "../../lib/link.tsx";
import { useTRPC } from "../../lib/trpc.tsx";
import { historyPath } from "../audit/search-params.ts";
import { SettingsFrame } from "../settings/settings-frame.tsx";
import { useChange } from "../settings/use-change.ts";
import { QueryError } from "../shell/query-error.tsx";
import { useSession } from "../shell/session-context.tsx";
import { NodeForm } from "./node-form.tsx";
import { NodeStatePill } from "./node-state-pill.tsx";
import { KIND_WORDS } from "./node-words.ts";

const REFRESH_MS = 5_000;
const EMPTY = { name: "", kind: "nereid", url: "", metricsUrl: null, grpcUrl: null } as const;

/** Which servers the dashboard looks after, and how it reaches them. */
export function NodesSettingsPage() {
  const allowed = useSession().permissions.includes("node.manage");
  return (
    <SettingsFrame current="nodes">
      {allowed ? (
        <NodesSettings />
      ) : (
        <Card flush>
          <Message kind="forbidden" title="Only administrators manage nodes">
            How the nodes stand is on the page{" "}
            <Link href="/nodes" className="underline">
              Nodes
            </Link>
            .
          </Message>
        </Card>
      )}
    </SettingsFrame>
  );
}

function NodesSettings() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const query = useQuery(trpc.nodes.list.queryOptions(undefined, { refetchInterval: REFRESH_MS }));
  const { onError, onSettled } = useChange();
  const change = {
    onError,
    onSettled: () => Promise.all([queryClient.invalidateQueries({ queryKey: trpc.nodes.pathKey() }), onSettled()]),
  };
  const [editing, setEditing] = useState<NodeRow>();
  const [removing, setRemoving] = useState<NodeRow>();
  const [added, setAdded] = useState(0);
  const test = useMutation(trpc.nodes.test.mutationOptions({ onError }));
  const done = (words: string) => {
    toast.success(words);
    test.reset();
    setEditing(undefined);
    setAdded((count) => count + 1);
  };
  const add = useMutation(
    trpc.nodes.add.mutationOptions({ ...change, onSuccess: (_result, { name }) => done(`${name} is added`) }),
  );
  const edit = useMutation(
    trpc.nodes.edit.mutationOptions({ ...change, onSuccess: (_result, { name }) => done(`${name} is changed`) }),
  );
  const remove = useMutation(
    trpc.nodes.remove.mutationOptions({ ...change, onSuccess: () => done("The node is removed") }),
  );
  return (
    <>
      <Card title={editing === undefined ? "Add a node" : `Change ${editing.name}`}>
        <NodeForm
          key={editing?.id ?? `new ${added}`}
          initial={editing ?? EMPTY}
          hasKey={editing?.hasKey ?? false}
          action={editing === undefined ? "Add the node" : "Save"}
          busy={add.isPending || edit.isPending}
          testing={test.isPending}
          probe={test.data}
          onTest={({ name: _, ...draft }) =>
            test.mutate({ ...draft, ...(editing !== undefined && { id: editing.id }) })
          }
          onSubmit={(draft) => (editing === undefined ? add.mutate(draft) : edit.mutate({ id: editing.id, ...draft }))}
          {...(editing !== undefined && {
            onCancel: () => {
              test.reset();
              setEditing(undefined);
            },
          })}
        />
      </Card>
      <Card flush title="Nodes" hint="The local one is the server that this dashboard was started with.">
        {query.data === undefined ? (
          query.isError ? (
            <QueryError error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />
          ) : (
            <Skeleton className="m-4 h-32" />
          )
        ) : (
          <Table label="Nodes of this dashboard">
            <thead>
              <tr>
                <Th>Name</Th>
                <Th>State</Th>
                <Th>Kind</Th>
                <Th>Address</Th>
                <Th>Key</Th>
                <Th>
                  <span className="sr-only">Actions</span>
                </Th>
              </tr>
            </thead>
            <tbody>
              {query.data.map((node) => (
                <Tr key={node.id}>
                  <Td className="font-medium">{node.name}</Td>
                  <Td>
                    <NodeStatePill node={node} facts={node.facts} />
                  </Td>
                  <Td>
                    <Badge>{KIND_WORDS[node.kind]}</Badge>
                  </Td>
                  <Td className="font-mono text-[0.857rem]">{node.url}</Td>
                  <Td>{node.hasKey ? "kept" : "none"}</Td>
                  <Td className="whitespace-nowrap text-right">
                    <Button asChild size="small" tone="quiet">
                      <Link href={historyPath("node", node.id)} aria-label={`History of ${node.name}`}>
                        History
                      </Link>
                    </Button>
                    {node.id === "local" ? null : (
                      <span className="ml-1.5 inline-flex gap-1.5">
                        <Button
                          size="small"
                          aria-label={`Change ${node.name}`}
                          onClick={() => {
                            test.reset();
                            setEditing(node);
                          }}
                        >
                          Change
                        </Button>
                        <Button size="small" aria-label={`Remove ${node.name}`} onClick={() => setRemoving(node)}>
                          Remove
                        </Button>
                      </span>
                    )}
                  </Td>
                </Tr>
              ))}
            </tbody>
          </Table>
        )}
      </Card>
      <ConfirmDialog
        open={removing !== undefined}
        onOpenChange={(open) => {
          if (!open) setRemoving(undefined);
        }}
        title={`Remove ${removing?.name ?? ""}?`}
        action={`Remove ${removing?.name ?? ""}`}
        onConfirm={() => {
          if (removing !== undefined) remove.mutate({ id: removing.id });
        }}
      >
        <p>
          The server goes on; the dashboard no longer looks after it and forgets its key. Addresses that name this node
          lead nowhere afterwards.
        </p>
      </ConfirmDialog>
    </>
  );
}
