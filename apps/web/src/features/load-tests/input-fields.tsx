"use client";

import { Card, Checkbox, Field, Textarea } from "@nereid/ui";
import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "../../lib/trpc.tsx";
import { ChoiceField } from "../lab/choice-field.tsx";
import type { DraftProps } from "./new-test-form.tsx";

const INPUTS = [
  { value: "random", label: "Random values" },
  { value: "zero", label: "Zeros" },
  { value: "fixture", label: "A kept request of the playground" },
  { value: "json", label: "Requests as JSON" },
] as const;

const SEQUENCE_FIELDS = [
  ["length", "Requests of a sequence"],
  ["variationPercent", "Their number varies by, percent"],
  ["concurrent", "Sequences at a time (open loop)"],
] as const;

/** What is sent. */
export function InputFields({ draft, problems, change }: DraftProps) {
  const trpc = useTRPC();
  const { model, input } = draft;
  const fixtures = useQuery(
    trpc.fixtures.list.queryOptions({ model }, { enabled: input === "fixture" && model !== "" }),
  );
  const detail = useQuery(trpc.models.get.queryOptions({ name: model }, { enabled: model !== "", retry: false }));
  const variable = (detail.data?.signature?.inputs ?? []).filter(
    ({ shape }) => shape.slice(1).some((dim) => dim < 0) || (shape[0] === -1 && detail.data?.status.maxBatchSize === 0),
  );
  const isSequence = detail.data?.status.scheduler === "sequence";
  return (
    <Card title="Requests">
      <div className="grid gap-x-4 gap-y-3 lg:grid-cols-2">
        <div className="space-y-3">
          <ChoiceField label="Values" value={input} options={INPUTS} onChange={(next) => change({ input: next })} />
          {input === "fixture" ? (
            <ChoiceField
              label="Kept request"
              value={draft.fixture}
              error={problems.fixture}
              hint={fixtures.data?.length === 0 ? "None is kept: the playground's page keeps them." : undefined}
              options={[
                { value: "", label: "Choose one" },
                ...[...new Set([...(fixtures.data ?? []).map(({ name }) => name), draft.fixture])]
                  .filter((name) => name !== "")
                  .map((name) => ({ value: name, label: name })),
              ]}
              onChange={(fixture) => change({ fixture })}
            />
          ) : null}
          {input === "json" ? (
            <Textarea
              label="Requests"
              rows={6}
              spellCheck={false}
              className="font-mono text-[0.857rem]"
              placeholder={'{"data": [{"INPUT": [1, 2, 3]}]}'}
              hint="A file for --input-data of perf_analyzer; at most 1 MiB."
              value={draft.text}
              error={problems.text}
              onChange={({ target }) => change({ text: target.value })}
            />
          ) : null}
        </div>
        <div className="space-y-3">
          <Textarea
            label="Shapes of inputs with variable dimensions"
            rows={2}
            spellCheck={false}
            className="font-mono text-[0.857rem]"
            placeholder="INPUT:3,224,224"
            value={draft.shapes}
            error={problems.shapes}
            hint={
              variable.length === 0
                ? "One a line, without the batch's dimension."
                : `Needed for ${variable.map(({ name, shape }) => `${name} [${shape.join(", ")}]`).join(" and ")}; without the batch's dimension.`
            }
            onChange={({ target }) => change({ shapes: target.value })}
          />
          {isSequence || draft.sequences ? (
            <Checkbox
              label="Lengths of sequences"
              hint="Without it: 20 requests each, give or take a fifth."
              checked={draft.sequences}
              onChange={({ target }) => change({ sequences: target.checked })}
            />
          ) : null}
          {draft.sequences
            ? SEQUENCE_FIELDS.map(([field, label]) => (
                <Field
                  key={field}
                  label={label}
                  inputMode="numeric"
                  value={draft[field]}
                  error={problems[field]}
                  onChange={({ target }) => change({ [field]: target.value })}
                />
              ))
            : null}
        </div>
      </div>
    </Card>
  );
}
