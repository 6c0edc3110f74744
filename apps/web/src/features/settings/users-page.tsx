"use client";

import type { Role, UserRow } from "@nereid/services";
import { Badge, Button, Card, ConfirmDialog, Message, Select, Skeleton, Table, Td, Th, Tr } from "@nereid/ui";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { toast } from "sonner";
import Link from "../../lib/link.tsx";
import { useTRPC } from "../../lib/trpc.tsx";
import { LocalTime } from "../audit/local-time.tsx";
import { historyPath } from "../audit/search-params.ts";
import { QueryError } from "../shell/query-error.tsx";
import { useSession } from "../shell/session-context.tsx";
import { InvitationsCard } from "./invitations-card.tsx";
import { InviteForm } from "./invite-form.tsx";
import { ROLES } from "./roles.ts";
import { SecretDialog } from "./secret-dialog.tsx";
import { SettingsFrame } from "./settings-frame.tsx";
import { useChange } from "./use-change.ts";

type Question =
  | { readonly kind: "disable"; readonly user: UserRow }
  | { readonly kind: "reset"; readonly user: UserRow }
  | { readonly kind: "role"; readonly user: UserRow; readonly role: Role };

/** Who may sign in, as what. */
export function UsersPage() {
  const trpc = useTRPC();
  const { actor, permissions } = useSession();
  const allowed = permissions.includes("user.manage");
  const query = useQuery(trpc.users.list.queryOptions(undefined, { enabled: allowed }));
  const change = useChange();
  const [link, setLink] = useState<string | null>(null);
  const [question, setQuestion] = useState<Question>();
  const showLink = ({ path }: { path: string }) => setLink(new URL(path, window.location.origin).toString());
  const invite = useMutation(trpc.users.invite.mutationOptions({ ...change, onSuccess: showLink }));
  const reset = useMutation(trpc.users.resetPassword.mutationOptions({ ...change, onSuccess: showLink }));
  const setRole = useMutation(
    trpc.users.setRole.mutationOptions({
      ...change,
      onSuccess: ({ role }) => void toast.success(`The role is ${role} now`),
    }),
  );
  const disable = useMutation(trpc.users.disable.mutationOptions(change));
  const enable = useMutation(trpc.users.enable.mutationOptions(change));
  if (!allowed) {
    return (
      <SettingsFrame current="users">
        <Card flush>
          <Message kind="forbidden" title="Only administrators manage users" />
        </Card>
      </SettingsFrame>
    );
  }
  const confirm = () => {
    if (question === undefined) return;
    const { id } = question.user;
    if (question.kind === "disable") disable.mutate({ id });
    else if (question.kind === "reset") reset.mutate({ id });
    else setRole.mutate({ id, role: question.role });
  };
  return (
    <SettingsFrame current="users">
      <InviteForm busy={invite.isPending} onInvite={(input) => invite.mutate(input)} />
      <InvitationsCard />
      <Card flush title="Users">
        {query.data === undefined ? (
          query.isError ? (
            <QueryError error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />
          ) : (
            <Skeleton className="m-4 h-32" />
          )
        ) : (
          <Table label="Users">
            <thead>
              <tr>
                <Th>Name</Th>
                <Th>Email</Th>
                <Th>Role</Th>
                <Th>Second factor</Th>
                <Th>Last seen</Th>
                <Th>
                  <span className="sr-only">Actions</span>
                </Th>
              </tr>
            </thead>
            <tbody>
              {query.data.map((user) => (
                <Tr key={user.id}>
                  <Td className="font-medium">
                    {user.name} {user.id === actor.id ? <span className="text-ink-soft">(you)</span> : null}{" "}
                    {user.disabled ? <Badge tone="bad">disabled</Badge> : null}
                  </Td>
                  <Td className="min-w-44 [overflow-wrap:anywhere]">{user.email}</Td>
                  <Td>
                    <Select
                      aria-label={`Role of ${user.name}`}
                      value={user.role}
                      onChange={(event) => {
                        const role = ROLES.find((known) => known === event.target.value);
                        if (role !== undefined) setQuestion({ kind: "role", user, role });
                      }}
                    >
                      {ROLES.map((role) => (
                        <option key={role}>{role}</option>
                      ))}
                    </Select>
                  </Td>
                  <Td>{user.twoFactor ? <Badge tone="ok">on</Badge> : <span className="text-ink-soft">off</span>}</Td>
                  <Td>{user.lastSeenAt === null ? "–" : <LocalTime at={user.lastSeenAt} relative />}</Td>
                  <Td>
                    <div className="flex justify-end gap-1.5">
                      <Button asChild size="small" tone="quiet">
                        <Link href={historyPath("user", user.id)} aria-label={`History of ${user.name}`}>
                          History
                        </Link>
                      </Button>
                      <Button
                        size="small"
                        aria-label={`New password link for ${user.name}`}
                        onClick={() => setQuestion({ kind: "reset", user })}
                      >
                        New password
                      </Button>
                      {user.disabled ? (
                        <Button
                          size="small"
                          aria-label={`Enable ${user.name}`}
                          onClick={() => enable.mutate({ id: user.id })}
                        >
                          Enable
                        </Button>
                      ) : (
                        <Button
                          size="small"
                          aria-label={`Disable ${user.name}`}
                          disabled={user.id === actor.id}
                          onClick={() => setQuestion({ kind: "disable", user })}
                        >
                          Disable
                        </Button>
                      )}
                    </div>
                  </Td>
                </Tr>
              ))}
            </tbody>
          </Table>
        )}
      </Card>
      <SecretDialog secret={link} title="Give this link to the person" onClose={() => setLink(null)}>
        With it they choose their password. It works once; nothing is sent by e-mail.
      </SecretDialog>
      <ConfirmDialog
        open={question !== undefined}
        onOpenChange={(open) => {
          if (!open) setQuestion(undefined);
        }}
        title={question === undefined ? "" : titleOf(question)}
        action={question === undefined ? "" : ACTIONS[question.kind]}
        onConfirm={confirm}
      >
        {question === undefined ? "" : EFFECTS[question.kind]}
      </ConfirmDialog>
    </SettingsFrame>
  );
}

const ACTIONS = { disable: "Disable", reset: "Make the link", role: "Change the role" } as const;

const EFFECTS = {
  disable: "All sessions end now and the keys stop working. The account can be enabled again.",
  reset: "You get a link with which a new password is chosen. The present one works until then.",
  role: "It counts from the next click on, also for the keys of this account.",
} as const;

function titleOf(question: Question): string {
  const { name } = question.user;
  if (question.kind === "disable") return `Disable ${name}?`;
  return question.kind === "reset" ? `A new password for ${name}?` : `Make ${name} ${question.role}?`;
}
