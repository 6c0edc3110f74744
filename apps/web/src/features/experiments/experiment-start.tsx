"use client";

import { ChangedConfig } from "../config/changed-config.tsx";
import { ExperimentForm } from "./experiment-form.tsx";

/** What is being written on the model's page Configuration, as an experiment. */
export function ExperimentStart({ model }: { readonly model: string }) {
  return (
    <ChangedConfig model={model} labels={{ before: "As it is", after: "Changed" }}>
      {({ text, served }) => <ExperimentForm compared={{ model, served, change: text }} />}
    </ChangedConfig>
  );
}
