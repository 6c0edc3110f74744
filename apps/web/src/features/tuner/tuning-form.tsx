"use client";

import { ConfirmDialog, Field, Skeleton, Textarea } from "@nereid/ui";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { type FormEvent, useState } from "react";
import { useTRPC } from "../../lib/trpc.tsx";
import { ChoiceField, optionsOf } from "../lab/choice-field.tsx";
import { ShapesField } from "../lab/shapes-field.tsx";
import { useUsualShapes } from "../lab/use-usual-shapes.ts";
import { GuardedButton } from "../models/guarded-button.tsx";
import { useNode } from "../nodes/node-context.tsx";
import { useChange } from "../settings/use-change.ts";
import { useSession } from "../shell/session-context.tsx";
import { usePromisedLatency } from "../slos/use-promised-latency.ts";
import { firstDraft, readDraft, type TuningDraft, type TuningField } from "./tuning-draft.ts";

const MODES: Readonly<Record<TuningDraft["mode"], string>> = {
  simulated: "Simulate all, measure the best",
  quick: "Climb from a start (quick)",
  optimiser: "Sample and learn (optimiser)",
  brute: "Measure everything (brute)",
};

const LOADS: Readonly<Record<TuningDraft["loadKind"], string>> = {
  concurrency: "Requests in flight",
  rate: "Requests a second",
  recorded: "As they came in the last 5 minutes",
};

const LEVEL_LABELS: Readonly<Record<TuningDraft["loadKind"], string>> = {
  concurrency: "Requests in flight",
  rate: "Requests a second",
  recorded: "How many times as fast",
};

const FIRST_LEVELS: Readonly<Record<TuningDraft["loadKind"], string>> = {
  concurrency: "1-64",
  rate: "50-800",
  recorded: "1, 2, 4",
};

export interface TuningFormProps {
  readonly model: string;
  readonly maxBatchSize: number;
}

/** What a search may try, and what counts as good. */
export function TuningForm({ model, maxBatchSize }: TuningFormProps) {
  const trpc = useTRPC();
  const promised = usePromisedLatency(model);
  const node = useNode();
  const facts = useQuery(trpc.nodes.get.queryOptions({ id: node.id ?? "local" }, { staleTime: 60_000 }));
  const cores = facts.data?.node.facts?.cores ?? 1;
  const usual = useUsualShapes(model);
  const [typed, setTyped] = useState<Partial<TuningDraft>>({});
  // What is suggested depends on the machine: better a moment later than changed under the reader.
  if (facts.isPending) return <Skeleton className="mt-4 h-80" />;
  const draft = { ...firstDraft({ maxBatchSize, cores, promisedMs: promised ?? null }), shapes: usual ?? "", ...typed };
  return <Fields model={model} draft={draft} onType={(more) => setTyped({ ...typed, ...more })} />;
}

interface FieldsProps {
  readonly model: string;
  readonly draft: TuningDraft;
  readonly onType: (more: Partial<TuningDraft>) => void;
}

function Fields({ model, draft, onType }: FieldsProps) {
  const trpc = useTRPC();
  const router = useRouter();
  const change = useChange();
  const allowed = useSession().permissions.includes("lab.run");
  const [asking, setAsking] = useState(false);
  const { request, errors, points } = readDraft(model, draft);
  const start = useMutation(
    trpc.tunings.start.mutationOptions({
      ...change,
      onSuccess: ({ id }) => router.push(`/tuner/${encodeURIComponent(id)}`),
    }),
  );
  const field = (name: TuningField) => ({
    value: draft[name],
    error: errors[name],
    autoCapitalize: "none",
    spellCheck: false,
    onChange: (event: { readonly target: { readonly value: string } }) => onType({ [name]: event.target.value }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (request !== null && allowed) setAsking(true);
  };
  return (
    <form noValidate onSubmit={submit} className="mt-4 space-y-4">
      <div className="grid items-start gap-x-4 gap-y-3 sm:grid-cols-2 xl:grid-cols-3">
        <Field
          label="Good within, ms (optional)"
          inputMode="decimal"
          hint="An answer within this time counts. Empty = every answer does."
          {...field("goodWithinMs")}
        />
        <ChoiceField
          label="Load"
          value={draft.loadKind}
          options={optionsOf(LOADS)}
          onChange={(loadKind) => onType({ loadKind, levels: FIRST_LEVELS[loadKind] })}
        />
        <Field label={LEVEL_LABELS[draft.loadKind]} hint="Such as 1, 4, 16; 1-64 doubles." {...field("levels")} />
        <Field label="Instances" {...field("instances")} />
        <Field label="Largest batches" {...field("maxBatchSizes")} />
        <Field
          label="Queue delays, µs"
          hint="How long a request may wait for others. – = the server makes no batches."
          {...field("delaysUs")}
        />
        <Field label="Threads of an execution" hint="– = as the model has it." {...field("threads")} />
        <ChoiceField
          label="Search"
          value={draft.mode}
          options={optionsOf(MODES)}
          onChange={(mode) => onType({ mode })}
        />
        <Field
          label="Most measurements (optional)"
          inputMode="numeric"
          hint="Empty = as many as the search wants."
          {...field("measurements")}
        />
        <Field label="Seconds of each measurement" inputMode="decimal" {...field("measureSeconds")} />
        <Field
          label="Pause above a live p99 of, ms (optional)"
          inputMode="decimal"
          hint="What serves goes first: above it the search waits."
          {...field("liveP99Ms")}
        />
      </div>
      {draft.shapes === "" && errors.shapes === undefined ? null : (
        <ShapesField value={draft.shapes} error={errors.shapes} onChange={(shapes) => onType({ shapes })} />
      )}
      <Textarea
        label="Note (optional)"
        rows={2}
        maxLength={5000}
        value={draft.note}
        onChange={(event) => onType({ note: event.target.value })}
      />
      <div className="flex flex-wrap items-center gap-3">
        <GuardedButton
          permission="lab.run"
          refusal={request === null ? "Correct the fields first." : null}
          busy={start.isPending}
          onClick={() => setAsking(true)}
        >
          Begin
        </GuardedButton>
        <p className="text-[0.857rem] text-ink-soft">
          {points === null ? "Something above is wrong." : `At most ${points} points: settings times loads.`}
        </p>
      </div>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={`Search better settings for ${model}?`}
        action="Begin the search"
        onConfirm={() => {
          if (request !== null) start.mutate(request);
        }}
      >
        <p>
          Copies of {model} with other settings are loaded beside it, one at a time, and get load of their own. What
          serves is not changed; it shares the machine’s processors while a copy is measured.
        </p>
      </ConfirmDialog>
    </form>
  );
}
