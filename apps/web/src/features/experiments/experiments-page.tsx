"use client";

import { BeginCard } from "../lab/begin-card.tsx";
import { JobFilters } from "../lab/job-filters.tsx";
import { JobsCard } from "../lab/jobs-card.tsx";
import { useOwnModels } from "../lab/use-own-models.ts";
import { ExperimentStart } from "./experiment-start.tsx";

/** What was tried and what came of it: experiments of all models, and the form that begins one. */
export function ExperimentsPage() {
  const models = useOwnModels();
  return (
    <div className="space-y-4">
      <div>
        <h1 className="font-semibold text-xl tracking-tight">Experiments</h1>
        <p className="text-ink-soft">One change at a time, against the configuration as it is, under the same load.</p>
      </div>
      <BeginCard
        title="Begin an experiment"
        hint="Both sides run beside what serves, which stays as it is."
        models={models}
      >
        {({ name }) => <ExperimentStart model={name} />}
      </BeginCard>
      <JobFilters models={(models ?? []).map(({ name }) => name)} />
      <JobsCard
        kind="experiment"
        empty="Write another configuration on a model’s page, without applying it, and try here whether it is better."
      />
    </div>
  );
}
