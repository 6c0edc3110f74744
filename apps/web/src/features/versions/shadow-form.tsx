"use client";

import { Button, Field, Select } from "@nereid/ui";
import { type FormEvent, useEffect, useId, useRef, useState } from "react";
import { firstTarget, readShadow, type ShadowDraft, targetText } from "./shadow-words.ts";
import type { ShadowWish } from "./use-shadow-actions.ts";

export interface ShadowFormProps {
  /** At least one. */
  readonly targets: readonly string[];
  /** Chosen at first, where it is among them. */
  readonly target: string | null;
  readonly busy: boolean;
  readonly onStart: (wish: ShadowWish) => void;
  readonly onCancel: () => void;
}

/** To whom requests are mirrored, how many, and how far two answers may be apart. */
export function ShadowForm({ targets, target, busy, onStart, onCancel }: ShadowFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const id = useId();
  const [draft, setDraft] = useState<ShadowDraft>({
    target: target !== null && targets.includes(target) ? target : firstTarget(targets),
    percent: "10",
    absolute: "0.00001",
    relative: "0.001",
  });
  const [tried, setTried] = useState(false);
  const read = readShadow(draft);
  const errors = read.kind === "wrong" && tried ? read.errors : {};
  useEffect(() => form.current?.querySelector("select")?.focus(), []);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (read.kind === "wrong") return;
    const { percent, absolute, relative } = read;
    onStart({ target: draft.target, percent, absolute, relative });
  };
  const set = (field: keyof ShadowDraft) => (event: { readonly target: { readonly value: string } }) =>
    setDraft({ ...draft, [field]: event.target.value });
  return (
    <form ref={form} noValidate onSubmit={submit} aria-label="Shadow of this model" className="space-y-4">
      <div className="grid gap-x-4 gap-y-3 sm:grid-cols-2 xl:grid-cols-4">
        <div className="space-y-1.5">
          <label htmlFor={id} className="block font-medium text-[0.929rem]">
            Mirror to
          </label>
          <Select id={id} value={draft.target} onChange={set("target")}>
            {targets.map((one) => (
              <option key={one} value={one}>
                {targetText(one)}
              </option>
            ))}
          </Select>
        </div>
        <Field
          label="Share of the requests, %"
          inputMode="decimal"
          autoComplete="off"
          value={draft.percent}
          error={errors.percent}
          hint="Of those that name no version."
          onChange={set("percent")}
        />
        <Field
          label="Absolute tolerance"
          inputMode="decimal"
          autoComplete="off"
          value={draft.absolute}
          error={errors.absolute}
          hint="Two numbers agree within this …"
          onChange={set("absolute")}
        />
        <Field
          label="Relative tolerance"
          inputMode="decimal"
          autoComplete="off"
          value={draft.relative}
          error={errors.relative}
          hint="… and this part of the answer’s number."
          onChange={set("relative")}
        />
      </div>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" tone="primary" busy={busy}>
          Begin
        </Button>
        <Button onClick={onCancel} disabled={busy}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
