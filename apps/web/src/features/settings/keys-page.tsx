"use client";

import type { KeyRow } from "@nereid/services";
import { Badge, Button, Card, ConfirmDialog, Message, Skeleton, Table, Td, Th, Tr } from "@nereid/ui";
import { useMutation, useQuery } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import { useState } from "react";
import { toast } from "sonner";
import Link from "../../lib/link.tsx";
import { useTRPC } from "../../lib/trpc.tsx";
import { LocalTime } from "../audit/local-time.tsx";
import { historyPath } from "../audit/search-params.ts";
import { QueryError } from "../shell/query-error.tsx";
import { useSession } from "../shell/session-context.tsx";
import { NewKeyForm } from "./new-key-form.tsx";
import { SecretDialog } from "./secret-dialog.tsx";
import { SettingsFrame } from "./settings-frame.tsx";
import { useChange } from "./use-change.ts";

/** Keys for scripts: what they may do, until when, and when they were last used. */
export function KeysPage() {
  const trpc = useTRPC();
  const allowed = useSession().permissions.includes("key.manage");
  const query = useQuery(trpc.keys.list.queryOptions(undefined, { enabled: allowed }));
  const change = useChange();
  const [secret, setSecret] = useState<string | null>(null);
  const [revoking, setRevoking] = useState<KeyRow>();
  const [now] = useState(() => Date.now());
  const create = useMutation(
    trpc.keys.create.mutationOptions({ ...change, onSuccess: (created) => setSecret(created.secret) }),
  );
  const revoke = useMutation(
    trpc.keys.revoke.mutationOptions({ ...change, onSuccess: () => void toast.success("The key is revoked") }),
  );
  if (!allowed) {
    return (
      <SettingsFrame current="keys">
        <Card flush>
          <Message kind="forbidden" title="Your role may not make keys">
            An administrator can make you an operator.
          </Message>
        </Card>
      </SettingsFrame>
    );
  }
  return (
    <SettingsFrame current="keys">
      <NewKeyForm busy={create.isPending} onCreate={(input) => create.mutate(input)} />
      <Card flush title="Keys" hint="A key may do what its scopes and its owner’s role allow.">
        {query.data === undefined ? (
          query.isError ? (
            <QueryError error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />
          ) : (
            <Skeleton className="m-4 h-32" />
          )
        ) : query.data.length === 0 ? (
          <Message kind="empty" title="No key yet" />
        ) : (
          <Table label="API keys">
            <thead>
              <tr>
                <Th>Name</Th>
                <Th>Key</Th>
                <Th>May</Th>
                <Th>Owner</Th>
                <Th>Last used</Th>
                <Th>Expires</Th>
                <Th>
                  <span className="sr-only">Actions</span>
                </Th>
              </tr>
            </thead>
            <tbody>
              {query.data.map((key) => (
                <Tr key={key.id}>
                  <Td className="font-medium">{key.name}</Td>
                  <Td className="font-mono text-[0.857rem]">{key.prefix}…</Td>
                  <Td className="min-w-44 text-[0.857rem] text-ink-soft">{key.scopes.join(", ")}</Td>
                  <Td>{key.createdByName}</Td>
                  <Td>{key.lastUsedAt === null ? "never" : <LocalTime at={key.lastUsedAt} relative />}</Td>
                  <Td>
                    <KeyState row={key} now={now} />
                  </Td>
                  <Td className="whitespace-nowrap text-right">
                    <Button asChild size="small" tone="quiet">
                      <Link href={historyPath("key", key.id)} aria-label={`History of ${key.name}`}>
                        History
                      </Link>
                    </Button>
                    {key.revokedAt === null ? (
                      <Button size="small" aria-label={`Revoke ${key.name}`} onClick={() => setRevoking(key)}>
                        Revoke
                      </Button>
                    ) : null}
                  </Td>
                </Tr>
              ))}
            </tbody>
          </Table>
        )}
      </Card>
      <SecretDialog secret={secret} title="Your new key" onClose={() => setSecret(null)}>
        Scripts send it as <code className="font-mono text-ink">Authorization: Bearer …</code>; the command line reads
        it from <code className="font-mono text-ink">NEREID_API_KEY</code>.
      </SecretDialog>
      <ConfirmDialog
        open={revoking !== undefined}
        onOpenChange={(open) => {
          if (!open) setRevoking(undefined);
        }}
        title={`Revoke ${revoking?.name ?? ""}?`}
        action="Revoke"
        onConfirm={() => {
          if (revoking !== undefined) revoke.mutate({ id: revoking.id });
        }}
      >
        <p>
          <KeyRound aria-hidden className="mr-1.5 inline size-4" />
          What uses it is refused from now on. This cannot be undone; a new key can be made.
        </p>
      </ConfirmDialog>
    </SettingsFrame>
  );
}

function KeyState({ row, now }: { readonly row: KeyRow; readonly now: number }) {
  if (row.revokedAt !== null) return <Badge tone="bad">revoked</Badge>;
  if (row.expiresAt === null) return <>never</>;
  if (row.expiresAt.getTime() <= now) return <Badge tone="bad">expired</Badge>;
  return <LocalTime at={row.expiresAt} />;
}
