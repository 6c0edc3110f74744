"use client";

import { Badge, Button, Card, CopyButton, Field } from "@nereid/ui";
import { useState } from "react";
import { toast } from "sonner";
import { renderSVG } from "uqr";
import { callAuth } from "./account-calls.ts";

interface Enrolment {
  readonly totpURI: string;
  readonly backupCodes: readonly string[];
}

export interface TwoFactorCardProps {
  /** Undefined until it is known. */
  readonly on: boolean | undefined;
  readonly onChanged: () => void;
}

/** A code from an authenticator app as the second step of the sign-in. */
export function TwoFactorCard({ on, onChanged }: TwoFactorCardProps) {
  const [password, setPassword] = useState("");
  const [code, setCode] = useState("");
  const [enrolment, setEnrolment] = useState<Enrolment>();
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);

  const call = async <Data,>(path: string, body: object, done: (data: Data) => void) => {
    setBusy(true);
    const answer = await callAuth<Data>(path, body);
    setBusy(false);
    setProblem(answer.ok ? undefined : answer.message);
    if (answer.ok) done(answer.data);
  };
  const begin = () =>
    call<Enrolment>("two-factor/enable", { password }, (data) => {
      setPassword("");
      setEnrolment(data);
    });
  const verify = () =>
    call("two-factor/verify-totp", { code }, () => {
      setEnrolment(undefined);
      setCode("");
      toast.success("The second factor is on");
      onChanged();
    });
  const end = () =>
    call("two-factor/disable", { password }, () => {
      setPassword("");
      toast.success("The second factor is off");
      onChanged();
    });

  return (
    <Card
      title="Second factor"
      hint="A code from an authenticator app."
      actions={on === undefined ? null : <Badge tone={on ? "ok" : "neutral"}>{on ? "on" : "off"}</Badge>}
    >
      {enrolment === undefined ? (
        <form
          className="space-y-4"
          onSubmit={(event) => {
            event.preventDefault();
            void (on === true ? end() : begin());
          }}
        >
          <Field
            label="Your password"
            type="password"
            autoComplete="current-password"
            required
            value={password}
            error={problem}
            onChange={(event) => setPassword(event.target.value)}
          />
          <Button type="submit" busy={busy} disabled={password === "" || on === undefined}>
            {on === true ? "Turn it off" : "Set it up"}
          </Button>
        </form>
      ) : (
        <form
          className="space-y-4"
          onSubmit={(event) => {
            event.preventDefault();
            void verify();
          }}
        >
          <div className="flex flex-wrap gap-4">
            <div
              role="img"
              aria-label="QR code for the authenticator app"
              className="size-40 rounded-md bg-white p-2"
              // biome-ignore lint/security/noDangerouslySetInnerHtml: the picture is drawn here from a text, by a library that escapes nothing because it writes only squares
              dangerouslySetInnerHTML={{ __html: renderSVG(enrolment.totpURI, { border: 0 }) }}
            />
            <div className="min-w-48 grow space-y-2">
              <p>Scan it, or enter the key by hand:</p>
              <p className="flex items-start gap-1">
                <code className="min-w-0 font-mono text-[0.857rem] [overflow-wrap:anywhere]">
                  {new URL(enrolment.totpURI).searchParams.get("secret")}
                </code>
                <CopyButton label="Copy the key" text={new URL(enrolment.totpURI).searchParams.get("secret") ?? ""} />
              </p>
            </div>
          </div>
          <div>
            <p className="font-medium">Keep these codes; each works once without the app.</p>
            <p className="mt-1 flex items-start gap-1">
              <code className="font-mono text-[0.857rem] text-ink-soft">{enrolment.backupCodes.join("  ")}</code>
              <CopyButton label="Copy the codes" text={enrolment.backupCodes.join("\n")} />
            </p>
          </div>
          <Field
            label="Code from the app"
            inputMode="numeric"
            autoComplete="one-time-code"
            required
            value={code}
            error={problem}
            onChange={(event) => setCode(event.target.value)}
          />
          <Button type="submit" tone="primary" busy={busy} disabled={code.trim().length < 6}>
            Turn it on
          </Button>
        </form>
      )}
    </Card>
  );
}
