"use client";

import { Card, Message, Select } from "@nereid/ui";
import { parseAsString, useQueryState } from "nuqs";
import { type ReactNode, useId } from "react";
import type { useOwnModels } from "./use-own-models.ts";

export interface BeginCardProps {
  readonly title: string;
  readonly hint: string;
  readonly models: ReturnType<typeof useOwnModels>;
  /** The form for the model that was chosen; remounted for another one. */
  readonly children: (model: { readonly name: string; readonly maxBatchSize: number }) => ReactNode;
}

/** Chooses a model, kept in the address as `new`, and shows the form that begins a job with it. */
export function BeginCard({ title, hint, models, children }: BeginCardProps) {
  const id = useId();
  const [chosen, setChosen] = useQueryState("new", parseAsString);
  const model = models?.find(({ name }) => name === chosen);
  return (
    <Card title={title} hint={hint}>
      <p className="flex flex-wrap items-center gap-2">
        <label htmlFor={id} className="font-medium">
          Model
        </label>
        <Select id={id} value={chosen ?? ""} onChange={(event) => void setChosen(event.target.value || null)}>
          <option value="">Choose a model</option>
          {models?.map(({ name }) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </Select>
      </p>
      {chosen === null || models === undefined ? null : model === undefined ? (
        <Message kind="missing" title={`There is no model called ${chosen}`} />
      ) : (
        <div key={model.name}>{children(model)}</div>
      )}
    </Card>
  );
}
