"use client";

import { Banner, Button, Field } from "@nereid/ui";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { shownError } from "../../lib/api-error.ts";
import { useTRPC } from "../../lib/trpc.tsx";
import { signIn } from "./auth-calls.ts";

/** Creates the first administrator and signs them in. */
export function SetupForm({ token }: { readonly token: string }) {
  const trpc = useTRPC();
  const redeem = useMutation(trpc.setup.redeem.mutationOptions());
  const [repeatError, setRepeatError] = useState<string>();
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const value = (name: string) => String(form.get(name) ?? "");
    const password = value("password");
    const different = password !== value("repeat");
    setRepeatError(different ? "is not the same as the password" : undefined);
    if (different) return;
    try {
      await redeem.mutateAsync({
        token: token || value("token"),
        name: value("name"),
        email: value("email"),
        password,
      });
    } catch {
      // Shown below the form's title by the mutation's state.
      return;
    }
    const result = await signIn({ email: value("email"), password });
    window.location.assign(result.ok === true ? "/models" : "/sign-in");
  };
  const error = redeem.error === null ? undefined : shownError(redeem.error);
  return (
    <form method="post" onSubmit={(event) => void submit(event)} className="space-y-4">
      {error === undefined ? null : (
        <Banner tone="bad">
          {error.message}
          {error.fix === null ? null : ` – ${error.fix}`}
        </Banner>
      )}
      {token === "" ? (
        <Field
          label="Setup token"
          name="token"
          required
          autoComplete="off"
          hint="The server wrote it to the file setup-token in its state directory."
        />
      ) : null}
      <Field label="Your name" name="name" autoComplete="name" required maxLength={100} />
      <Field label="Email" name="email" type="email" autoComplete="username" required />
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
      <Button type="submit" tone="primary" busy={redeem.isPending || redeem.isSuccess} className="h-9 w-full">
        Create administrator
      </Button>
    </form>
  );
}
