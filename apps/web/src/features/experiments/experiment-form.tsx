"use client";

import { Field, Textarea } from "@nereid/ui";
import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { type FormEvent, useState } from "react";
import { useTRPC } from "../../lib/trpc.tsx";
import { ChoiceField } from "../lab/choice-field.tsx";
import { ShapesField } from "../lab/shapes-field.tsx";
import { useUsualShapes } from "../lab/use-usual-shapes.ts";
import { GuardedButton } from "../models/guarded-button.tsx";
import { useChange } from "../settings/use-change.ts";
import { useSession } from "../shell/session-context.tsx";
import { usePromisedLatency } from "../slos/use-promised-latency.ts";
import { type Compared, type ExperimentDraft, FIRST_DRAFT, readExperimentDraft } from "./experiment-draft.ts";
import { METRIC_WORDS } from "./experiment-words.ts";

const METRICS = (["p99", "p50", "throughput", "goodput"] as const).map((value) => ({
  value,
  label: METRIC_WORDS[value],
}));
const LOADS = [
  { value: "concurrency", label: "Requests in flight" },
  { value: "rate", label: "Requests a second" },
] as const;

/** The hypothesis and how it is put to the test. */
export function ExperimentForm({ compared }: { readonly compared: Compared }) {
  const trpc = useTRPC();
  const router = useRouter();
  const change = useChange();
  const allowed = useSession().permissions.includes("lab.run");
  const promised = usePromisedLatency(compared.model);
  const usual = useUsualShapes(compared.model);
  const [typed, setTyped] = useState<Partial<ExperimentDraft>>({});
  const draft: ExperimentDraft = {
    ...FIRST_DRAFT,
    ...(promised !== undefined && { goodWithinMs: String(promised) }),
    ...(usual !== undefined && { shapes: usual }),
    ...typed,
  };
  const { request, errors, seconds } = readExperimentDraft(compared, draft);
  const start = useMutation(
    trpc.experiments.start.mutationOptions({
      ...change,
      onSuccess: ({ id }) => router.push(`/experiments/${encodeURIComponent(id)}`),
    }),
  );
  const type = (more: Partial<ExperimentDraft>) => setTyped({ ...typed, ...more });
  const field = (name: "level" | "goodWithinMs" | "pairs" | "windowSeconds" | "leastPercent") => ({
    value: draft[name],
    error: errors[name],
    inputMode: "decimal" as const,
    onChange: (event: { readonly target: { readonly value: string } }) => type({ [name]: event.target.value }),
  });
  const begin = () => {
    if (request !== null && allowed) start.mutate(request);
  };
  return (
    <form
      noValidate
      className="mt-4 space-y-4"
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        begin();
      }}
    >
      <Textarea
        label="Hypothesis"
        hint="What you expect, and why. Experiments are found by it."
        rows={2}
        maxLength={2000}
        value={draft.hypothesis}
        // Said only once something was typed: an empty form is not wrong yet.
        error={typed.hypothesis === undefined ? undefined : errors.hypothesis}
        onChange={(event) => type({ hypothesis: event.target.value })}
      />
      <div className="grid items-start gap-x-4 gap-y-3 sm:grid-cols-2 xl:grid-cols-3">
        <ChoiceField
          label="It is about"
          value={draft.metric}
          options={METRICS}
          onChange={(metric) => type({ metric })}
        />
        <ChoiceField
          label="Load"
          value={draft.loadKind}
          options={LOADS}
          onChange={(loadKind) => type({ loadKind, level: loadKind === "rate" ? "100" : "8" })}
        />
        <Field label={draft.loadKind === "rate" ? "Requests a second" : "Requests in flight"} {...field("level")} />
        <Field label="Good within, ms (optional)" {...field("goodWithinMs")} />
        <Field label="Windows of each side" hint="They take turns: a b, b a, a b …" {...field("pairs")} />
        <Field label="Seconds of a window" {...field("windowSeconds")} />
        <Field label="Least difference that matters, %" hint="A smaller one is none." {...field("leastPercent")} />
      </div>
      {usual === "" && draft.shapes === "" ? null : (
        <ShapesField value={draft.shapes} error={errors.shapes} onChange={(shapes) => type({ shapes })} />
      )}
      <div className="flex flex-wrap items-center gap-3">
        <GuardedButton
          permission="lab.run"
          refusal={request === null ? "Say what you expect, and correct the fields." : null}
          busy={start.isPending}
          onClick={begin}
        >
          Begin
        </GuardedButton>
        <p className="text-[0.857rem] text-ink-soft">
          {seconds === null ? "Something above is missing or wrong." : `Takes about ${Math.ceil(seconds / 60)} min.`}
        </p>
      </div>
    </form>
  );
}
