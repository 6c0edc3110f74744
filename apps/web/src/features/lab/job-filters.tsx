"use client";

import { Button, Input, Select } from "@nereid/ui";
import { Search, X } from "lucide-react";
import { useQueryStates } from "nuqs";
import { PHASE_WORDS } from "./lab-words.ts";
import { jobSearchParams, PHASES } from "./search-params.ts";

/** Narrows a list of jobs down; everything of it is in the address. */
export function JobFilters({ models }: { readonly models: readonly string[] }) {
  const [{ q, phase, model }, setParams] = useQueryStates(jobSearchParams);
  const any = q !== "" || phase !== null || model !== null;
  return (
    <div className="flex flex-wrap items-center gap-2">
      <search className="relative block w-full sm:w-72">
        <Search aria-hidden className="pointer-events-none absolute top-2.5 left-2.5 size-4 text-ink-soft" />
        <Input
          type="search"
          aria-label="Search titles, notes and models"
          placeholder="Title, note or model"
          className="pl-8.5"
          value={q}
          onChange={(event) => void setParams({ q: event.target.value || null })}
        />
      </search>
      <Select
        aria-label="Model"
        value={model ?? ""}
        onChange={(event) => void setParams({ model: event.target.value || null })}
      >
        <option value="">All models</option>
        {[...new Set(model === null ? models : [...models, model])].map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </Select>
      <Select
        aria-label="How it stands"
        value={phase ?? ""}
        onChange={(event) => void setParams({ phase: PHASES.find((one) => one === event.target.value) ?? null })}
      >
        <option value="">All states</option>
        {PHASES.map((one) => (
          <option key={one} value={one}>
            {PHASE_WORDS[one].text}
          </option>
        ))}
      </Select>
      {any ? (
        <Button size="small" tone="quiet" onClick={() => void setParams({ q: null, phase: null, model: null })}>
          <X aria-hidden />
          Clear
        </Button>
      ) : null}
    </div>
  );
}
