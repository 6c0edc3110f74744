"use client";

import type { Role } from "@nereid/services";
import { Button, Card, Field, Select } from "@nereid/ui";
import { useId, useState } from "react";
import { ROLES } from "./roles.ts";

export interface InviteInput {
  readonly email: string;
  readonly name: string;
  readonly role: Role;
}

const MAY = {
  viewer: "may look",
  operator: "may deploy, configure, load and unload",
  admin: "may do everything, users included",
} as const;

export function InviteForm(props: { readonly busy: boolean; readonly onInvite: (input: InviteInput) => void }) {
  const id = useId();
  const [email, setEmail] = useState("");
  const [name, setName] = useState("");
  const [role, setRole] = useState<Role>("viewer");
  return (
    <Card title="Invite" hint="You get a link to hand on; nothing is sent.">
      <form
        className="grid items-start gap-4 md:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto_auto]"
        onSubmit={(event) => {
          event.preventDefault();
          props.onInvite({ email, name, role });
        }}
      >
        <Field label="Name" required value={name} onChange={(event) => setName(event.target.value)} />
        <Field label="Email" type="email" required value={email} onChange={(event) => setEmail(event.target.value)} />
        <div className="space-y-1.5">
          <label htmlFor={id} className="block font-medium text-[0.929rem]">
            Role
          </label>
          <Select
            id={id}
            aria-describedby={`${id}-note`}
            value={role}
            onChange={(event) => setRole(ROLES.find((known) => known === event.target.value) ?? "viewer")}
          >
            {ROLES.map((known) => (
              <option key={known}>{known}</option>
            ))}
          </Select>
          <p id={`${id}-note`} className="text-[0.857rem] text-ink-soft">
            {MAY[role]}
          </p>
        </div>
        <Button type="submit" tone="primary" className="md:mt-6.5" busy={props.busy}>
          Make the link
        </Button>
      </form>
    </Card>
  );
}
