"use client";

import { Card, Message, Select, ToggleGroup } from "@nereid/ui";
import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { useTRPC } from "../../lib/trpc.tsx";
import { ConfigStart } from "./config-start.tsx";
import { StartForm } from "./start-form.tsx";

export const SUBJECTS = ["version", "config"] as const;
export type Subject = (typeof SUBJECTS)[number];

const OPTIONS = [
  { value: "version", label: "Another version" },
  { value: "config", label: "Another configuration" },
] as const;

export interface StartCardProps {
  readonly model: string | null;
  readonly what: Subject;
  readonly onChoose: (chosen: { readonly model?: string | null; readonly what?: Subject }) => void;
}

/** The form that begins a rollout of the chosen model. */
export function StartCard({ model, what, onChoose }: StartCardProps) {
  const trpc = useTRPC();
  const ids = useId();
  const models = useQuery(trpc.models.list.queryOptions(undefined, { refetchInterval: 10_000 }));
  const chosen = models.data?.find(({ name }) => name === model);
  const ready = (chosen?.versions ?? []).filter(({ ready }) => ready).map(({ version }) => version);
  const versions = ready.toSorted((a, b) => Number(a) - Number(b));
  return (
    <Card
      title="Begin a rollout"
      hint={
        what === "version" ? "Both versions must be served." : "The configuration is tried beside the one that serves."
      }
    >
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <p className="flex items-center gap-2">
          <label htmlFor={`${ids}-model`} className="font-medium">
            Model
          </label>
          <Select
            id={`${ids}-model`}
            value={model ?? ""}
            onChange={(event) => onChoose({ model: event.target.value || null })}
          >
            <option value="">Choose a model</option>
            {(models.data ?? []).map(({ name }) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </Select>
        </p>
        <ToggleGroup
          label="What is rolled out"
          value={what}
          options={OPTIONS}
          onChange={(next) => onChoose({ what: next })}
        />
      </div>
      {model === null || models.data === undefined ? null : chosen === undefined ? (
        <Message kind="missing" title={`There is no model called ${model}`} />
      ) : what === "config" ? (
        <ConfigStart key={model} model={model} versions={versions} />
      ) : versions.length < 2 ? (
        <Message kind="empty" title="Only one version is served">
          Load the new version beside it on the page Versions. Divide the traffic first, so that it gets no request yet.
        </Message>
      ) : (
        <StartForm key={versions.join()} model={model} versions={versions} config={null} />
      )}
    </Card>
  );
}
