"use client";

import type { Permission } from "@nereid/services";
import { Button, Card, Checkbox, Field, Select } from "@nereid/ui";
import { useId, useState } from "react";
import { useSession } from "../shell/session-context.tsx";
import { SCOPE_WORDS } from "./scope-words.ts";

const DAY_MS = 24 * 3600 * 1000;

const LIFETIMES = [
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" },
  { value: "365", label: "a year" },
  { value: "", label: "no end" },
] as const;

export interface NewKey {
  readonly name: string;
  readonly scopes: Permission[];
  readonly expiresAt: Date | null;
}

/** What a new key is called, may do, and how long it lives. */
export function NewKeyForm(props: { readonly busy: boolean; readonly onCreate: (key: NewKey) => void }) {
  const { permissions } = useSession();
  const id = useId();
  const [name, setName] = useState("");
  const [days, setDays] = useState<string>("90");
  const [scopes, setScopes] = useState<ReadonlySet<Permission>>(new Set(["model.read"]));
  const toggle = (scope: Permission, on: boolean) =>
    setScopes((before) => new Set(on ? [...before, scope] : [...before].filter((one) => one !== scope)));
  return (
    <Card title="New key">
      <form
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault();
          const expiresAt = days === "" ? null : new Date(Date.now() + Number(days) * DAY_MS);
          props.onCreate({ name, scopes: permissions.filter((one) => scopes.has(one)), expiresAt });
          setName("");
        }}
      >
        <div className="flex flex-wrap items-start gap-4">
          <div className="w-full max-w-xs">
            <Field
              label="Name"
              hint="Who or what uses it."
              required
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          </div>
          <div className="space-y-1.5">
            <label htmlFor={`${id}-life`} className="block font-medium text-[0.929rem]">
              Valid for
            </label>
            <Select id={`${id}-life`} value={days} onChange={(event) => setDays(event.target.value)}>
              {LIFETIMES.map(({ value, label }) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </Select>
          </div>
        </div>
        <fieldset>
          <legend className="mb-1.5 font-medium text-[0.929rem]">It may</legend>
          <div className="grid gap-x-6 gap-y-1 sm:grid-cols-2 xl:grid-cols-3">
            {permissions.map((scope) => (
              <Checkbox
                key={scope}
                checked={scopes.has(scope)}
                onChange={(event) => toggle(scope, event.target.checked)}
                label={
                  <>
                    {SCOPE_WORDS[scope]} <span className="font-mono text-[0.786rem] text-ink-soft">{scope}</span>
                  </>
                }
              />
            ))}
          </div>
        </fieldset>
        <Button type="submit" tone="primary" busy={props.busy} disabled={name.trim() === "" || scopes.size === 0}>
          Make the key
        </Button>
      </form>
    </Card>
  );
}
