"use client";

import { BeginCard } from "../lab/begin-card.tsx";
import { JobFilters } from "../lab/job-filters.tsx";
import { JobsCard } from "../lab/jobs-card.tsx";
import { useOwnModels } from "../lab/use-own-models.ts";
import { TuningForm } from "./tuning-form.tsx";

/** Which settings serve best: searches of all models, and the form that begins one. */
export function TunerPage() {
  const models = useOwnModels();
  return (
    <div className="space-y-4">
      <div>
        <h1 className="font-semibold text-xl tracking-tight">Tuner</h1>
        <p className="text-ink-soft">
          Finds the settings with the most good answers: ranked by a simulator, measured beside what serves.
        </p>
      </div>
      <BeginCard
        title="Begin a search"
        hint="The served configuration stays as it is, whatever is tried."
        models={models}
      >
        {({ name, maxBatchSize }) => <TuningForm model={name} maxBatchSize={maxBatchSize} />}
      </BeginCard>
      <JobFilters models={(models ?? []).map(({ name }) => name)} />
      <JobsCard kind="tuning" empty="Choose a model above: it says what may be tried, and you may change that." />
    </div>
  );
}
