"use client";

import type { ModelStatus } from "@nereid/client";
import { Badge, Banner, Button } from "@nereid/ui";
import { Gauge } from "lucide-react";
import Link from "../../lib/link.tsx";
import { newTestPath } from "../load-tests/search-params.ts";
import { CopyModelAction } from "./copy-model-action.tsx";
import { LoadProgress } from "./load-progress.tsx";
import { isBeingLoaded } from "./load-words.ts";
import { ModelButtons } from "./model-buttons.tsx";
import { ModelStatePill } from "./model-name-cell.tsx";
import type { ModelActions } from "./use-model-actions.ts";
import type { VersionPickerProps } from "./version-picker.tsx";
import { VersionPicker } from "./version-picker.tsx";

const SCHEDULERS: Readonly<Record<ModelStatus["scheduler"], string>> = {
  default: "No batching",
  dynamic: "Dynamic batching",
  sequence: "Sequence batching",
  ensemble: "Ensemble",
  unknown: "Scheduler not known yet",
};

export interface ModelHeaderProps extends Pick<VersionPickerProps, "value" | "onChange"> {
  readonly model: ModelStatus;
  readonly actions: ModelActions;
  readonly requestsPerSecond: number;
}

/** What the model is, how it stands and what can be done with it. */
export function ModelHeader({ model, actions, requestsPerSecond, value, onChange }: ModelHeaderProps) {
  return (
    <div className="space-y-3">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0 space-y-1.5">
          <div className="flex flex-wrap items-start gap-x-3 gap-y-1.5">
            <h1 className="font-semibold text-xl leading-tight tracking-tight [overflow-wrap:anywhere]">
              {model.name}
            </h1>
            <ModelStatePill model={model} pending={actions.pendingOf(model.name)} />
          </div>
          <div className="flex flex-wrap gap-1.5">
            {model.backend === "" ? null : <Badge>{model.backend}</Badge>}
            <Badge>{SCHEDULERS[model.scheduler]}</Badge>
            {model.wantedBy === "request" ? (
              <Badge title="Loaded for a request; unloaded again when no more come">Loaded on demand</Badge>
            ) : null}
            <Badge>{model.maxBatchSize > 0 ? `Batches up to ${model.maxBatchSize}` : "No batch dimension"}</Badge>
          </div>
        </div>
        <div className="flex flex-wrap items-center gap-2">
          <VersionPicker model={model} value={value} onChange={onChange} />
          <Button asChild size="small">
            <Link href={newTestPath({ model: model.name, version: value })}>
              <Gauge aria-hidden />
              Load test
            </Link>
          </Button>
          <CopyModelAction model={model.name} action={{ kind: "load" }} label="Copy load as" />
          <ModelButtons model={model} actions={actions} requestsPerSecond={requestsPerSecond} />
        </div>
      </div>
      <LoadProgress model={model} actions={actions} />
      {model.lastLoadError === "" || isBeingLoaded(model) ? null : (
        <Banner tone="bad">
          <strong className="font-semibold">The last load failed.</strong> {model.lastLoadError}
        </Banner>
      )}
      {model.warnings.length === 0 ? null : (
        <Banner tone="warn">
          <ul className="space-y-1">
            {model.warnings.map((warning) => (
              <li key={`${warning.code}${warning.path ?? ""}${warning.message}`}>
                {warning.message}
                {warning.path === undefined ? null : (
                  <code className="ml-1.5 font-mono text-[0.857rem]">{warning.path}</code>
                )}
              </li>
            ))}
          </ul>
        </Banner>
      )}
    </div>
  );
}
