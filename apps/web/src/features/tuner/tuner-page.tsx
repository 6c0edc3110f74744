"use client";

import { Card, Message, Select } from "@nereid/ui";
import { useQuery } from "@tanstack/react-query";
import { parseAsString, useQueryState } from "nuqs";
import { useId } from "react";
import { useTRPC } from "../../lib/trpc.tsx";
import { JobFilters } from "../lab/job-filters.tsx";
import { JobsCard } from "../lab/jobs-card.tsx";
import { TuningForm } from "./tuning-form.tsx";

/** Which settings serve best: searches of all models, and the form that begins one. */
export function TunerPage() {
  const trpc = useTRPC();
  const ids = useId();
  const [chosen, setChosen] = useQueryState("new", parseAsString);
  const models = useQuery(trpc.models.list.queryOptions(undefined, { refetchInterval: 10_000 }));
  const own = (models.data ?? []).filter(({ candidateOf }) => (candidateOf ?? null) === null);
  const model = own.find(({ name }) => name === chosen);
  return (
    <div className="space-y-4">
      <div>
        <h1 className="font-semibold text-xl tracking-tight">Tuner</h1>
        <p className="text-ink-soft">
          Finds the settings with the most good answers: ranked by a simulator, measured beside what serves.
        </p>
      </div>
      <Card title="Begin a search" hint="The served configuration stays as it is, whatever is tried.">
        <p className="flex flex-wrap items-center gap-2">
          <label htmlFor={`${ids}-model`} className="font-medium">
            Model
          </label>
          <Select
            id={`${ids}-model`}
            value={chosen ?? ""}
            onChange={(event) => void setChosen(event.target.value || null)}
          >
            <option value="">Choose a model</option>
            {own.map(({ name }) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </Select>
        </p>
        {chosen === null || models.data === undefined ? null : model === undefined ? (
          <Message kind="missing" title={`There is no model called ${chosen}`} />
        ) : (
          <TuningForm key={model.name} model={model.name} maxBatchSize={model.maxBatchSize} />
        )}
      </Card>
      <JobFilters models={own.map(({ name }) => name)} />
      <JobsCard kind="tuning" empty="Choose a model above: it says what may be tried, and you may change that." />
    </div>
  );
}
