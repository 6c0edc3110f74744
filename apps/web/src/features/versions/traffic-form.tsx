"use client";

import type { Traffic } from "@nereid/client";
import { trafficTargetText } from "@nereid/client/traffic-target";
import { Button, Field, formatShare } from "@nereid/ui";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { draftOf, readDraft, sharesOf, type TrafficDraft, type TrafficRow } from "./traffic-draft.ts";

export interface TrafficFormProps {
  readonly rows: readonly TrafficRow[];
  readonly traffic: Traffic | null;
  readonly busy: boolean;
  readonly onReview: (traffic: Traffic) => void;
  readonly onCancel: () => void;
}

/** A weight for each version, and the header that keeps a caller with one of them. */
export function TrafficForm({ rows, traffic, busy, onReview, onCancel }: TrafficFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [draft, setDraft] = useState<TrafficDraft>(() => draftOf(rows, traffic));
  const read = readDraft(draft);
  const wrong = read.kind === "wrong" ? read : null;
  const shares = sharesOf(draft, rows);
  const versions = rows.filter(({ version }) => version in draft.weights);
  useEffect(() => form.current?.querySelector("input")?.select(), []);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (read.kind === "right") onReview(read.traffic);
    else form.current?.querySelector<HTMLElement>("[aria-invalid]")?.focus();
  };
  return (
    <form ref={form} noValidate onSubmit={submit} className="space-y-4">
      <div className="grid grid-cols-2 gap-x-4 gap-y-3 sm:grid-cols-3 xl:grid-cols-5">
        {versions.map(({ version, served }) => (
          <Field
            key={version}
            label={`Weight of ${trafficTargetText(version)}`}
            type="number"
            inputMode="numeric"
            min={0}
            step={1}
            autoComplete="off"
            value={draft.weights[version] ?? ""}
            error={wrong?.weights[version]}
            hint={served ? `${formatShare(shares[version] ?? 0)} of the requests` : "not ready: gets nothing yet"}
            onChange={(event) => setDraft({ ...draft, weights: { ...draft.weights, [version]: event.target.value } })}
          />
        ))}
      </div>
      {wrong?.whole === undefined ? null : (
        <p role="alert" className="text-[0.857rem] text-bad">
          {wrong.whole}
        </p>
      )}
      <div className="max-w-md">
        <Field
          label="Sticky header (optional)"
          placeholder="x-user"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={draft.stickyHeader}
          error={wrong?.stickyHeader}
          hint="Requests with the same value in this header go to the same version."
          onChange={(event) => setDraft({ ...draft, stickyHeader: event.target.value })}
        />
      </div>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" tone="primary" busy={busy}>
          Review
        </Button>
        <Button onClick={onCancel} disabled={busy}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
