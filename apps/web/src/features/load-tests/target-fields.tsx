"use client";

import { Card, Checkbox, Field } from "@nereid/ui";
import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "../../lib/trpc.tsx";
import { ChoiceField } from "../lab/choice-field.tsx";
import type { DraftProps } from "./new-test-form.tsx";

/** Which model, and how requests get to it. */
export function TargetFields({ draft, problems, change }: DraftProps) {
  const trpc = useTRPC();
  const models = useQuery(trpc.models.list.queryOptions(undefined, { refetchInterval: 10_000 }));
  const chosen = models.data?.find(({ name }) => name === draft.model);
  const ready = (chosen?.versions ?? []).filter(({ ready: serves }) => serves).map(({ version }) => version);
  const names = [...new Set([...(models.data ?? []).map(({ name }) => name), draft.model])].filter(
    (name) => name !== "",
  );
  const versions = [...new Set([...ready, draft.version])].filter((version) => version !== "");
  return (
    <Card title="Model">
      <div className="grid gap-x-4 gap-y-3 sm:grid-cols-2 xl:grid-cols-4">
        <ChoiceField
          label="Model"
          value={draft.model}
          error={problems.model ?? (models.isError ? "The models could not be read" : undefined)}
          options={[{ value: "", label: "Choose a model" }, ...names.map((name) => ({ value: name, label: name }))]}
          onChange={(model) => change({ model, version: "", fixture: "" })}
        />
        <ChoiceField
          label="Version"
          value={draft.version}
          error={problems.version}
          options={[
            { value: "", label: "The server's choice" },
            ...versions.map((version) => ({ value: version, label: `version ${version}` })),
          ]}
          onChange={(version) => change({ version })}
        />
        <div className="space-y-2">
          <ChoiceField
            label="Protocol"
            value={draft.protocol}
            options={[
              { value: "http", label: "HTTP" },
              { value: "grpc", label: "gRPC" },
            ]}
            onChange={(protocol) => change({ protocol })}
          />
          {draft.protocol === "grpc" ? (
            <Checkbox
              label="One stream for each request in flight"
              checked={draft.streaming}
              onChange={({ target }) => change({ streaming: target.checked })}
            />
          ) : null}
        </div>
        <Field
          label="Items in a request"
          inputMode="numeric"
          value={draft.batch}
          error={problems.batch}
          hint={
            chosen === undefined || chosen.maxBatchSize > 0 ? "The batch of each." : "The model has no batch dimension."
          }
          onChange={({ target }) => change({ batch: target.value })}
        />
      </div>
    </Card>
  );
}
