"use client";

import { Button, Select, ToggleGroup } from "@nereid/ui";
import { useQuery } from "@tanstack/react-query";
import { Stethoscope } from "lucide-react";
import { useQueryStates } from "nuqs";
import { useTRPC } from "../../lib/trpc.tsx";
import { diagnoseSearchParams, SYMPTOM_KEYS, SYMPTOM_WORDS } from "./search-params.ts";

const SYMPTOM_OPTIONS = SYMPTOM_KEYS.map((value) => ({ value, label: SYMPTOM_WORDS[value] }));

/** Which model, and what was seen of it. A change begins a new diagnosis, without what was chosen by hand in the last one. */
export function DiagnoseForm({ busy, onRun }: { readonly busy: boolean; readonly onRun: () => void }) {
  const trpc = useTRPC();
  const [{ model, symptom }, setParams] = useQueryStates(diagnoseSearchParams, { history: "push" });
  const models = useQuery(trpc.models.list.queryOptions());
  const names = models.data?.map(({ name }) => name) ?? [];
  const known = model === null || names.includes(model) ? names : [model, ...names];
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Select
        aria-label="Model"
        value={model ?? ""}
        className="max-w-64"
        onChange={(event) =>
          void setParams({ model: event.target.value || null, choices: null, kept: null, version: null })
        }
      >
        <option value="">Choose a model</option>
        {known.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </Select>
      <div className="max-w-full overflow-x-auto">
        <ToggleGroup
          label="What you see"
          value={symptom}
          options={SYMPTOM_OPTIONS}
          onChange={(next) => void setParams({ symptom: next, choices: null, kept: null })}
        />
      </div>
      <Button tone="primary" size="small" className="h-8" disabled={model === null} busy={busy} onClick={onRun}>
        <Stethoscope aria-hidden />
        Diagnose the last 5 minutes
      </Button>
    </div>
  );
}
