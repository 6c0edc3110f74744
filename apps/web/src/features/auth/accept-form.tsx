"use client";

import { Banner, Button, Field } from "@nereid/ui";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { shownError } from "../../lib/api-error.ts";
import { useTRPC } from "../../lib/trpc.tsx";
import { signIn } from "./auth-calls.ts";

export interface AcceptFormProps {
  readonly token: string;
  readonly email: string;
  /** Of somebody who joins; undefined when only a password is chosen anew. */
  readonly name: string | undefined;
}

/** Spends a one-time link and signs in with the new password. */
export function AcceptForm({ token, email, name }: AcceptFormProps) {
  const trpc = useTRPC();
  const accept = useMutation(trpc.users.accept.mutationOptions());
  const [repeatError, setRepeatError] = useState<string>();
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const value = (field: string) => String(form.get(field) ?? "");
    const password = value("password");
    const different = password !== value("repeat");
    setRepeatError(different ? "is not the same as the password" : undefined);
    if (different) return;
    try {
      await accept.mutateAsync({ token, password, ...(name === undefined ? {} : { name: value("name") }) });
    } catch {
      // Shown below the form's title by the mutation's state.
      return;
    }
    const result = await signIn({ email, password });
    window.location.assign(result.ok === true ? "/" : "/sign-in");
  };
  const error = accept.error === null ? undefined : shownError(accept.error);
  return (
    <form method="post" onSubmit={(event) => void submit(event)} className="space-y-4">
      {error === undefined ? null : (
        <Banner tone="bad">
          {error.message}
          {error.fix === null ? null : ` – ${error.fix}`}
        </Banner>
      )}
      <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
      {name === undefined ? null : (
        <Field label="Your name" name="name" autoComplete="name" required maxLength={100} defaultValue={name} />
      )}
      <Field
        label="Password"
        name="password"
        type="password"
        autoComplete="new-password"
        required
        minLength={12}
        maxLength={128}
        hint="At least 12 characters."
      />
      <Field
        label="Password again"
        name="repeat"
        type="password"
        autoComplete="new-password"
        required
        error={repeatError}
      />
      <Button type="submit" tone="primary" busy={accept.isPending || accept.isSuccess} className="h-9 w-full">
        {name === undefined ? "Set password" : "Join"}
      </Button>
    </form>
  );
}
