"use client";

import { Card, Message, Select } from "@nereid/ui";
import { useQuery } from "@tanstack/react-query";
import { parseAsString, useQueryState } from "nuqs";
import { useId } from "react";
import { useTRPC } from "../../lib/trpc.tsx";
import { JobFilters } from "../lab/job-filters.tsx";
import { JobsCard } from "../lab/jobs-card.tsx";
import { ExperimentStart } from "./experiment-start.tsx";

/** What was tried and what came of it: experiments of all models, and the form that begins one. */
export function ExperimentsPage() {
  const trpc = useTRPC();
  const ids = useId();
  const [chosen, setChosen] = useQueryState("new", parseAsString);
  const models = useQuery(trpc.models.list.queryOptions(undefined, { refetchInterval: 10_000 }));
  const own = (models.data ?? []).filter(({ candidateOf }) => (candidateOf ?? null) === null);
  return (
    <div className="space-y-4">
      <div>
        <h1 className="font-semibold text-xl tracking-tight">Experiments</h1>
        <p className="text-ink-soft">One change at a time, against the configuration as it is, under the same load.</p>
      </div>
      <Card title="Begin an experiment" hint="Both sides run beside what serves, which stays as it is.">
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
        {chosen === null || models.data === undefined ? null : own.some(({ name }) => name === chosen) ? (
          <ExperimentStart key={chosen} model={chosen} />
        ) : (
          <Message kind="missing" title={`There is no model called ${chosen}`} />
        )}
      </Card>
      <JobFilters models={own.map(({ name }) => name)} />
      <JobsCard
        kind="experiment"
        empty="Write another configuration on a model’s page, without applying it, and try here whether it is better."
      />
    </div>
  );
}
