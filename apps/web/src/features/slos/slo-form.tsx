"use client";

import type { SloInput, SloRecord } from "@nereid/services";
import { Badge, Button, Card, Field, formatNumber, Select } from "@nereid/ui";
import { skipToken, useQuery } from "@tanstack/react-query";
import { useDeferredValue, useId, useState } from "react";
import { shownError } from "../../lib/api-error.ts";
import { useTRPC } from "../../lib/trpc.tsx";
import { BudgetBar } from "./budget-bar.tsx";
import { promiseText, STATE_WORDS, shareText } from "./slo-words.ts";

export interface SloFormProps {
  /** What is changed; absent for a new one. */
  readonly slo?: SloRecord;
  /** The model that a new one begins with. */
  readonly model?: string | null;
  readonly busy: boolean;
  readonly onSave: (input: SloInput) => void;
  readonly onCancel?: () => void;
}

const DAYS = [1, 7, 14, 30];

/** What is promised, and how it would stand on what was really measured, before it is saved. */
export function SloForm({ slo, model: first = null, busy, onSave, onCancel }: SloFormProps) {
  const trpc = useTRPC();
  const id = useId();
  const models = useQuery(trpc.models.list.queryOptions());
  const [name, setName] = useState(slo?.name ?? "");
  const [model, setModel] = useState(slo?.model ?? first ?? "");
  const [latency, setLatency] = useState(slo === undefined ? "50" : (slo.latencyMs?.toString() ?? ""));
  const [objective, setObjective] = useState(String(Number(((slo?.objective ?? 0.99) * 100).toFixed(3))));
  const [windowDays, setDays] = useState(slo?.windowDays ?? 7);
  const input = readForm({ name: name.trim() || "preview", model, latency, objective, windowDays });
  const shown = useDeferredValue(input);
  const preview = useQuery(
    trpc.slos.preview.queryOptions(shown ?? skipToken, { staleTime: 5_000, placeholderData: (before) => before }),
  );
  const names = models.data?.map((one) => one.name) ?? [];
  const options = model === "" || names.includes(model) ? names : [model, ...names];
  return (
    <Card title={slo === undefined ? "New objective" : `Change ${slo.name}`}>
      <form
        className="grid gap-x-8 gap-y-4 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]"
        onSubmit={(event) => {
          event.preventDefault();
          if (input !== null && name.trim() !== "") onSave({ ...input, name: name.trim() });
        }}
      >
        <div className="grid h-fit gap-4 sm:grid-cols-2">
          <Field
            label="Name"
            required
            value={name}
            onChange={(event) => setName(event.target.value)}
            placeholder="Fast answers"
          />
          <div className="space-y-1.5">
            <label htmlFor={`${id}-model`} className="block font-medium text-[0.929rem]">
              Model
            </label>
            <Select
              id={`${id}-model`}
              value={model}
              className="w-full"
              onChange={(event) => setModel(event.target.value)}
            >
              <option value="">Choose a model</option>
              {options.map((one) => (
                <option key={one} value={one}>
                  {one}
                </option>
              ))}
            </Select>
          </div>
          <Field
            label="Answered within (ms)"
            hint="Empty: only that it succeeds."
            inputMode="decimal"
            value={latency}
            onChange={(event) => setLatency(event.target.value)}
          />
          <Field
            label="Objective (%)"
            hint="Share of good requests."
            inputMode="decimal"
            required
            value={objective}
            onChange={(event) => setObjective(event.target.value)}
          />
          <div className="space-y-1.5">
            <label htmlFor={`${id}-days`} className="block font-medium text-[0.929rem]">
              Window
            </label>
            <Select id={`${id}-days`} value={windowDays} onChange={(event) => setDays(Number(event.target.value))}>
              {DAYS.map((days) => (
                <option key={days} value={days}>
                  {days === 1 ? "1 day" : `${days} days`}
                </option>
              ))}
            </Select>
          </div>
        </div>
        <div className="space-y-3 rounded-md border bg-raised/40 p-4" aria-live="polite">
          <h3 className="font-semibold">On what was measured</h3>
          {input === null ? (
            <p className="text-ink-soft">Choose a model, a time above 0 and an objective from 50 to 99.999 %.</p>
          ) : preview.isError ? (
            <p className="text-bad">{shownError(preview.error).message}</p>
          ) : preview.data === undefined ? (
            <p className="text-ink-soft">Looking …</p>
          ) : (
            <>
              <p>{promiseText(input)}.</p>
              <p className="flex flex-wrap items-center gap-2">
                <Badge tone={STATE_WORDS[preview.data.state].tone}>{STATE_WORDS[preview.data.state].text}</Badge>
                {preview.data.attainment === null
                  ? `${formatNumber(preview.data.requests)} requests in the window; nothing can be said yet.`
                  : `${shareText(preview.data.attainment)} of ${formatNumber(preview.data.requests)} requests were good.`}
              </p>
              <BudgetBar name="the preview" left={preview.data.budgetLeft} />
            </>
          )}
        </div>
        <div className="flex gap-2 lg:col-span-2">
          <Button type="submit" tone="primary" busy={busy} disabled={input === null || name.trim() === ""}>
            {slo === undefined ? "Set the objective" : "Save"}
          </Button>
          {onCancel === undefined ? null : <Button onClick={onCancel}>Cancel</Button>}
        </div>
      </form>
    </Card>
  );
}

interface FormTexts {
  readonly name: string;
  readonly model: string;
  readonly latency: string;
  readonly objective: string;
  readonly windowDays: number;
}

/** The promise that is written; null while it is none. */
export function readForm({ name, model, latency, objective, windowDays }: FormTexts): SloInput | null {
  const latencyMs = latency.trim() === "" ? null : Number(latency.replace(",", "."));
  const share = Number(objective.replace(",", ".")) / 100;
  if (model === "" || !(share >= 0.5 && share <= 0.99999)) return null;
  if (latencyMs !== null && !(latencyMs >= 0.01 && latencyMs <= 3_600_000)) return null;
  return { name, model, latencyMs, objective: Number(share.toPrecision(8)), windowDays };
}
