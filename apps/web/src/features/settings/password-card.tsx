"use client";

import { Button, Card, Field } from "@nereid/ui";
import { useState } from "react";
import { toast } from "sonner";
import { callAuth } from "./account-calls.ts";

const SHORTEST = 12;

export function PasswordCard() {
  const [current, setCurrent] = useState("");
  const [next, setNext] = useState("");
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const short = next !== "" && next.length < SHORTEST;
  const change = async () => {
    setBusy(true);
    const body = { currentPassword: current, newPassword: next, revokeOtherSessions: true };
    const answer = await callAuth("change-password", body);
    setBusy(false);
    setProblem(answer.ok ? undefined : answer.message);
    if (!answer.ok) return;
    setCurrent("");
    setNext("");
    toast.success("The password is changed; your other sessions have ended");
  };
  return (
    <Card title="Password">
      <form
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault();
          void change();
        }}
      >
        <Field
          label="Present password"
          type="password"
          autoComplete="current-password"
          required
          value={current}
          error={problem}
          onChange={(event) => setCurrent(event.target.value)}
        />
        <Field
          label="New password"
          type="password"
          autoComplete="new-password"
          required
          value={next}
          hint={`At least ${SHORTEST} characters.`}
          error={short ? `At least ${SHORTEST} characters.` : undefined}
          onChange={(event) => setNext(event.target.value)}
        />
        <Button type="submit" busy={busy} disabled={current === "" || next.length < SHORTEST}>
          Change the password
        </Button>
      </form>
    </Card>
  );
}
