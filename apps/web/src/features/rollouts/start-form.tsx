"use client";

import { ConfirmDialog, Field, Select } from "@nereid/ui";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { type FormEvent, useId, useState } from "react";
import { useTRPC } from "../../lib/trpc.tsx";
import { GuardedButton } from "../models/guarded-button.tsx";
import { useChange } from "../settings/use-change.ts";
import { useSession } from "../shell/session-context.tsx";
import { readPercents } from "./rollout-words.ts";

export interface StartFormProps {
  readonly model: string;
  /** Served ones, lowest first. */
  readonly versions: readonly string[];
  /** What the candidate is to have; null = another version is rolled out. */
  readonly config: { readonly text: string; readonly ifDigest: string } | null;
}

/** Steps and roles of a rollout; asks before it begins. */
export function StartForm({ model, versions, config }: StartFormProps) {
  const trpc = useTRPC();
  const ids = useId();
  const allowed = useSession().permissions.includes("rollout.manage");
  const router = useRouter();
  const queryClient = useQueryClient();
  const change = useChange();
  const [draft, setDraft] = useState({
    baseline: versions.at(config === null ? -2 : -1) ?? "",
    candidate: versions.at(-1) ?? "",
    steps: "1, 5, 25, 50, 100",
    seconds: "60",
    requests: "100",
    stickyHeader: "",
    note: "",
  });
  const [asking, setAsking] = useState(false);
  const start = useMutation(
    trpc.rollouts.start.mutationOptions({
      ...change,
      onSuccess: ({ id }) => {
        void queryClient.invalidateQueries({ queryKey: trpc.rollouts.pathKey() });
        router.push(`/rollouts/${encodeURIComponent(id)}`);
      },
    }),
  );
  const set = (field: keyof typeof draft) => (event: { readonly target: { readonly value: string } }) =>
    setDraft({ ...draft, [field]: event.target.value });
  const percents = readPercents(draft.steps);
  const [seconds, requests] = [Number(draft.seconds), Number(draft.requests)];
  const wrongSeconds = Number.isInteger(seconds) && seconds >= 1 ? undefined : "must be a whole number from 1";
  const wrongRequests = Number.isInteger(requests) && requests >= 0 ? undefined : "must be a whole number from 0";
  const same = config === null && draft.baseline === draft.candidate ? "Choose two different versions." : null;
  const isRight = percents !== null && wrongSeconds === undefined && wrongRequests === undefined && same === null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isRight && allowed) setAsking(true);
  };
  const confirm = () => {
    const { baseline, candidate, stickyHeader, note } = draft;
    start.mutate({
      model,
      baseline,
      ...(config === null ? { candidate } : { config }),
      note,
      stickyHeader: stickyHeader.trim() === "" ? null : stickyHeader.trim(),
      steps: (percents ?? []).map((percent) => ({ percent, seconds, requests })),
    });
  };
  return (
    <form noValidate onSubmit={submit} className="mt-4 space-y-4">
      <div className="flex flex-wrap gap-4">
        {(config === null ? (["baseline", "candidate"] as const) : (["baseline"] as const)).map((role) => (
          <p key={role} className="flex items-center gap-2">
            <label htmlFor={`${ids}-${role}`} className="font-medium">
              {role === "baseline" ? "Baseline" : "Candidate"}
            </label>
            <Select id={`${ids}-${role}`} value={draft[role]} onChange={set(role)}>
              {versions.map((version) => (
                <option key={version} value={version}>
                  version {version}
                </option>
              ))}
            </Select>
          </p>
        ))}
      </div>
      {same === null ? null : (
        <p role="alert" className="text-[0.857rem] text-bad">
          {same}
        </p>
      )}
      <div className="grid gap-x-4 gap-y-3 sm:grid-cols-2 xl:grid-cols-3">
        <Field
          label="Steps, percent"
          value={draft.steps}
          error={percents === null ? "must be whole numbers from 1 to 100 that grow" : undefined}
          hint="What the candidate gets, one step after the other."
          onChange={set("steps")}
        />
        <Field
          label="Seconds of each step, at least"
          inputMode="numeric"
          value={draft.seconds}
          error={wrongSeconds}
          onChange={set("seconds")}
        />
        <Field
          label="Requests of each step, at least"
          inputMode="numeric"
          value={draft.requests}
          error={wrongRequests}
          hint="Of the candidate."
          onChange={set("requests")}
        />
        <Field
          label="Sticky header (optional)"
          placeholder="x-user"
          autoCapitalize="none"
          spellCheck={false}
          value={draft.stickyHeader}
          onChange={set("stickyHeader")}
        />
        <Field label="Note (optional)" value={draft.note} onChange={set("note")} />
      </div>
      <GuardedButton
        permission="rollout.manage"
        refusal={isRight ? null : "Correct the fields first."}
        busy={start.isPending}
        onClick={() => setAsking(true)}
      >
        Begin
      </GuardedButton>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={`Roll ${model} out?`}
        action="Begin the rollout"
        onConfirm={confirm}
      >
        <p>
          All requests that name no version go to version {draft.baseline} first, then {percents?.join(", ")} % of them
          to {config === null ? `version ${draft.candidate}` : "the same version with the new configuration"}. A gate
          that is refuted brings them back at once.
          {config === null
            ? null
            : " At the end the model itself gets the configuration, with an entry in its history."}
        </p>
      </ConfirmDialog>
    </form>
  );
}
