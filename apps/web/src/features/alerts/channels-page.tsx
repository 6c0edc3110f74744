"use client";

import type { ChannelRecord } from "@nereid/services";
import { Badge, Button, Card, ConfirmDialog, Message, Skeleton, Table, Td, Th, Tr } from "@nereid/ui";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { toast } from "sonner";
import { useTRPC } from "../../lib/trpc.tsx";
import { SecretDialog } from "../settings/secret-dialog.tsx";
import { SettingsFrame } from "../settings/settings-frame.tsx";
import { useChange } from "../settings/use-change.ts";
import { QueryError } from "../shell/query-error.tsx";
import { useSession } from "../shell/session-context.tsx";
import { ChannelForm } from "./channel-form.tsx";

/** Who is told of alerts. */
export function ChannelsPage() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const change = useChange();
  const allowed = useSession().permissions.includes("channel.manage");
  const query = useQuery(trpc.alerts.channels.queryOptions(undefined, { enabled: allowed, refetchInterval: 10_000 }));
  const [secret, setSecret] = useState<string | null>(null);
  const [editing, setEditing] = useState<ChannelRecord>();
  const [removing, setRemoving] = useState<ChannelRecord>();
  // What was typed stays where it was refused.
  const [added, setAdded] = useState(0);
  const anew = () => queryClient.invalidateQueries({ queryKey: trpc.alerts.pathKey() });
  const save = useMutation(
    trpc.alerts.saveChannel.mutationOptions({
      ...change,
      onSuccess: ({ channel, secret: made }) => {
        setSecret(made);
        if (made !== null) setAdded((count) => count + 1);
        setEditing(undefined);
        if (made === null) toast.success(`${channel.name} is changed`);
        void anew();
      },
    }),
  );
  const remove = useMutation(
    trpc.alerts.removeChannel.mutationOptions({
      ...change,
      onSuccess: ({ name }) => {
        toast.success(`${name} is removed`);
        void anew();
      },
    }),
  );
  const test = useMutation(
    trpc.alerts.testChannel.mutationOptions({
      ...change,
      onSuccess: ({ status }) =>
        status >= 200 && status < 300
          ? void toast.success(`It answered with status ${status}`)
          : void toast.error(`It answered with status ${status}`),
    }),
  );
  if (!allowed) {
    return (
      <SettingsFrame current="notifications">
        <Card flush>
          <Message kind="forbidden" title="Only administrators choose where alerts are sent">
            Open alerts stand on the page Alerts.
          </Message>
        </Card>
      </SettingsFrame>
    );
  }
  return (
    <SettingsFrame current="notifications">
      {editing === undefined ? (
        <ChannelForm key={`new ${added}`} busy={save.isPending} onSave={(fields) => save.mutate(fields)} />
      ) : (
        <ChannelForm
          key={editing.id}
          channel={editing}
          busy={save.isPending}
          onSave={(fields) => save.mutate({ ...fields, id: editing.id })}
          onCancel={() => setEditing(undefined)}
        />
      )}
      <Card flush title="Receivers">
        {query.data === undefined ? (
          query.isError ? (
            <QueryError error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />
          ) : (
            <Skeleton className="m-4 h-24" />
          )
        ) : query.data.length === 0 ? (
          <Message kind="empty" title="No receiver yet">
            Alerts are shown in the dashboard only.
          </Message>
        ) : (
          <Table label="Receivers of alerts">
            <thead>
              <tr>
                <Th>Name</Th>
                <Th>Host</Th>
                <Th>Gets</Th>
                <Th>Last message</Th>
                <Th>
                  <span className="sr-only">Actions</span>
                </Th>
              </tr>
            </thead>
            <tbody>
              {query.data.map((channel) => (
                <Tr key={channel.id}>
                  <Td className="font-medium">{channel.name}</Td>
                  <Td className="font-mono text-[0.857rem] [overflow-wrap:anywhere]">{hostOf(channel.url)}</Td>
                  <Td>{channel.enabled ? channel.severities.join(", ") : <Badge>off</Badge>}</Td>
                  <Td>
                    <LastMessage last={channel.last} />
                  </Td>
                  <Td className="whitespace-nowrap text-right">
                    <span className="inline-flex gap-1.5">
                      <Button
                        size="small"
                        aria-label={`Test ${channel.name}`}
                        busy={test.isPending && test.variables.id === channel.id}
                        onClick={() => test.mutate({ id: channel.id })}
                      >
                        Test
                      </Button>
                      <Button size="small" aria-label={`Change ${channel.name}`} onClick={() => setEditing(channel)}>
                        Change
                      </Button>
                      <Button size="small" aria-label={`Remove ${channel.name}`} onClick={() => setRemoving(channel)}>
                        Remove
                      </Button>
                    </span>
                  </Td>
                </Tr>
              ))}
            </tbody>
          </Table>
        )}
      </Card>
      <SecretDialog secret={secret} title="The receiver’s secret" onClose={() => setSecret(null)}>
        Each message has <code className="font-mono text-ink">x-nereid-signature: sha256=…</code>, the HMAC of its time,
        a dot and its body with this secret. Check it, and refuse what is older than some minutes.
      </SecretDialog>
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
        <p>
          No more alerts are sent there, not even those that wait to be sent again. Its secret cannot be brought back.
        </p>
      </ConfirmDialog>
    </SettingsFrame>
  );
}

function LastMessage({ last }: { readonly last: ChannelRecord["last"] }) {
  if (last === null) return <span className="text-ink-soft">none yet</span>;
  if (last.state === "delivered") return <Badge tone="ok">delivered</Badge>;
  return (
    <span className="[overflow-wrap:anywhere]">
      <Badge tone={last.state === "given-up" ? "bad" : "warn"}>
        {last.state === "given-up" ? "given up" : "waiting"}
      </Badge>{" "}
      {last.error}
    </span>
  );
}

function hostOf(url: string): string {
  try {
    return new URL(url).host;
  } catch {
    return url;
  }
}
