"use client";

import { Card, ConfirmDialog, Field, Textarea } from "@nereid/ui";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Play } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useTRPC } from "../../lib/trpc.tsx";
import { jobPath } from "../lab/lab-words.ts";
import { useUsualShapes } from "../lab/use-usual-shapes.ts";
import { GuardedButton } from "../models/guarded-button.tsx";
import { useChange } from "../settings/use-change.ts";
import { InputFields } from "./input-fields.tsx";
import { LoadFields } from "./load-fields.tsx";
import { type LoadTestDraft, readDraft } from "./load-test-draft.ts";
import { testSeconds, testWords } from "./load-test-words.ts";
import { PresetPicker } from "./preset-picker.tsx";
import { TargetFields } from "./target-fields.tsx";
import { ThresholdFields } from "./threshold-fields.tsx";

/** What the parts of the form get. */
export interface DraftProps {
  readonly draft: LoadTestDraft;
  readonly problems: Readonly<Partial<Record<keyof LoadTestDraft, string>>>;
  readonly change: (fields: Partial<LoadTestDraft>) => void;
}

/** The form that begins a load test; mistakes are told at their fields once it was tried. */
export function NewTestForm({ begun }: { readonly begun: LoadTestDraft }) {
  const trpc = useTRPC();
  const router = useRouter();
  const queryClient = useQueryClient();
  const settled = useChange();
  const [typed, setTyped] = useState(begun);
  const usual = useUsualShapes(typed.model);
  const draft = typed.shapes === "" && usual !== undefined ? { ...typed, shapes: usual } : typed;
  const [words, setWords] = useState({ title: "", note: "" });
  const [tried, setTried] = useState(false);
  const [asking, setAsking] = useState(false);
  const start = useMutation(
    trpc.loadTests.start.mutationOptions({
      ...settled,
      onSuccess: (job) => {
        void queryClient.invalidateQueries({ queryKey: trpc.lab.pathKey() });
        router.push(jobPath(job));
      },
    }),
  );
  const read = readDraft(draft);
  const problems = tried && read.kind === "wrong" ? read.problems : {};
  const props: DraftProps = { draft, problems, change: (fields) => setTyped({ ...typed, ...fields }) };
  const ask = () => {
    setTried(true);
    if (read.kind === "right") setAsking(true);
  };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        ask();
      }}
      className="space-y-4"
    >
      <PresetPicker draft={draft} onPick={props.change} />
      <TargetFields {...props} />
      <LoadFields {...props} />
      <InputFields {...props} />
      <ThresholdFields {...props} />
      <Card title="Title and note" hint="Optional; lists are searched by both.">
        <div className="grid gap-x-4 gap-y-3 lg:grid-cols-2">
          <Field
            label="Title"
            maxLength={200}
            placeholder={read.kind === "right" ? testWords(read.spec) : ""}
            value={words.title}
            onChange={({ target }) => setWords({ ...words, title: target.value })}
          />
          <Textarea
            label="Note"
            rows={1}
            maxLength={5_000}
            value={words.note}
            onChange={({ target }) => setWords({ ...words, note: target.value })}
          />
        </div>
      </Card>
      <div className="flex flex-wrap items-center gap-3">
        <GuardedButton permission="lab.run" busy={start.isPending} onClick={ask}>
          <Play aria-hidden />
          Begin
        </GuardedButton>
        <p role="status" className={tried && read.kind === "wrong" ? "text-bad" : "text-ink-soft"}>
          {read.kind === "right"
            ? `${testWords(read.spec)}, ${testSeconds(read.spec)}`
            : tried
              ? `Correct what is marked first: ${Object.keys(read.problems).length} of the fields.`
              : ""}
        </p>
      </div>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={`Put load on ${draft.model}?`}
        action="Begin the load test"
        onConfirm={() => {
          if (read.kind === "right") start.mutate({ spec: read.spec, ...words });
        }}
      >
        <p>
          The model serves real requests meanwhile, and they wait behind those of the test. It can be stopped at any
          time. Tests of one server run one after the other.
        </p>
      </ConfirmDialog>
    </form>
  );
}
