"use client";

import { Card, Field } from "@nereid/ui";
import { ChoiceField } from "../lab/choice-field.tsx";
import type { DraftField, LoadTestDraft } from "./load-test-draft.ts";
import type { DraftProps } from "./new-test-form.tsx";

const KINDS = [
  { value: "concurrency", label: "Closed loop: requests in flight" },
  { value: "rate", label: "Open loop: requests a second" },
  { value: "bursts", label: "Open loop: bursts" },
  { value: "knee", label: "Open loop: up to the knee" },
  { value: "recorded", label: "Open loop: as requests really came" },
] as const;

interface Wanted {
  readonly field: DraftField;
  readonly label: string;
  readonly hint?: string;
}

/** The fields of each kind, in order. */
const WANTED: Readonly<Record<LoadTestDraft["kind"], readonly Wanted[]>> = {
  concurrency: [
    { field: "from", label: "From, in flight" },
    { field: "to", label: "To, in flight", hint: "The same as from = one level." },
    { field: "step", label: "Step" },
  ],
  rate: [
    { field: "from", label: "From, requests a second" },
    { field: "to", label: "To, requests a second", hint: "The same as from = one level." },
    { field: "step", label: "Step" },
  ],
  bursts: [
    { field: "from", label: "From, requests a second" },
    { field: "to", label: "To, requests a second", hint: "The same as from = one level." },
    { field: "step", label: "Step" },
    { field: "size", label: "Requests at once" },
  ],
  knee: [
    { field: "from", label: "From, requests a second" },
    { field: "to", label: "At most, a second" },
    { field: "factor", label: "Up by the factor" },
    { field: "limitMs", label: "Latency limit in ms (optional)", hint: "The knee is where it is reached, too." },
    { field: "percentile", label: "Percentile of the limit" },
  ],
  recorded: [
    { field: "seconds", label: "Of the last seconds", hint: "At most 900, and 16,384 requests." },
    { field: "speed", label: "Times as fast" },
  ],
};

const TIMES: readonly Wanted[] = [
  { field: "duration", label: "Seconds measured at each level", hint: "At most 3600." },
  { field: "warmUp", label: "Seconds of warm-up before", hint: "Of the same load; they do not count." },
];

/** How load is made, at which levels, and for how long. */
export function LoadFields({ draft, problems, change }: DraftProps) {
  const wanted = [...WANTED[draft.kind], ...(draft.kind === "recorded" ? [] : TIMES)];
  return (
    <Card
      title="Load"
      hint={
        draft.kind === "concurrency"
          ? "Each answer brings the next request: a server that stalls is sent less."
          : "Requests come when they come; latency counts from when each was due."
      }
    >
      <div className="grid gap-x-4 gap-y-3 sm:grid-cols-2 xl:grid-cols-4">
        <ChoiceField label="Kind" value={draft.kind} options={KINDS} onChange={(kind) => change({ kind })} />
        {draft.kind === "rate" ? (
          <ChoiceField
            label="Gaps"
            value={draft.distribution}
            options={[
              { value: "poisson", label: "Random (Poisson)" },
              { value: "constant", label: "Even" },
            ]}
            onChange={(distribution) => change({ distribution })}
          />
        ) : null}
        {wanted.map(({ field, label, hint }) => (
          <Field
            key={field}
            label={label}
            inputMode="decimal"
            value={String(draft[field])}
            error={problems[field]}
            {...(hint !== undefined && { hint })}
            onChange={({ target }) => change({ [field]: target.value })}
          />
        ))}
      </div>
    </Card>
  );
}
