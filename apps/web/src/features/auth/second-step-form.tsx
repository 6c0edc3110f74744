"use client";

import { Banner, Button, Field } from "@nereid/ui";
import { type FormEvent, useState } from "react";
import { signInWithCode } from "./auth-calls.ts";

/** Asks for the code of the second factor, after the password was right. */
export function SecondStepForm({ next, onBack }: { readonly next: string; readonly onBack: () => void }) {
  const [backup, setBackup] = useState(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const code = String(new FormData(event.currentTarget).get("code"));
    setBusy(true);
    setError(undefined);
    const result = await signInWithCode({ code, backup });
    if (result.ok === true) {
      window.location.assign(next);
      return;
    }
    setBusy(false);
    if (result.ok === false) setError(result.message);
  };
  return (
    <form method="post" onSubmit={(event) => void submit(event)} className="space-y-4">
      {error === undefined ? null : <Banner tone="bad">{error}</Banner>}
      <Field
        key={backup ? "backup" : "app"}
        label={backup ? "Backup code" : "Code of your authenticator app"}
        name="code"
        inputMode={backup ? "text" : "numeric"}
        autoComplete="one-time-code"
        required
        autoFocus
        hint={backup ? "Each backup code works once." : "Six digits."}
      />
      <Button type="submit" tone="primary" busy={busy} className="h-9 w-full">
        Sign in
      </Button>
      <div className="flex justify-between">
        <Button type="button" tone="quiet" size="small" onClick={() => setBackup(!backup)}>
          {backup ? "Use the app instead" : "Use a backup code"}
        </Button>
        <Button type="button" tone="quiet" size="small" onClick={onBack}>
          Back
        </Button>
      </div>
    </form>
  );
}
