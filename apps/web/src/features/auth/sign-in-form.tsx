"use client";

import { Banner, Button, Field } from "@nereid/ui";
import { type FormEvent, useState } from "react";
import { signIn } from "./auth-calls.ts";
import { SecondStepForm } from "./second-step-form.tsx";

/** `next` is a path of this site, checked by the server. */
export function SignInForm({ next }: { readonly next: string }) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const [secondStep, setSecondStep] = useState(false);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    setBusy(true);
    setError(undefined);
    const result = await signIn({ email: String(form.get("email")), password: String(form.get("password")) });
    if (result.ok === "second-step") {
      setBusy(false);
      setSecondStep(true);
      return;
    }
    if (result.ok) {
      window.location.assign(next);
      return;
    }
    setBusy(false);
    setError(result.message);
  };
  if (secondStep) return <SecondStepForm next={next} onBack={() => setSecondStep(false)} />;
  return (
    <form method="post" onSubmit={(event) => void submit(event)} className="space-y-4">
      {error === undefined ? null : <Banner tone="bad">{error}</Banner>}
      <Field label="Email" name="email" type="email" autoComplete="username" required autoFocus />
      <Field label="Password" name="password" type="password" autoComplete="current-password" required />
      <Button type="submit" tone="primary" busy={busy} className="h-9 w-full">
        Sign in
      </Button>
    </form>
  );
}
