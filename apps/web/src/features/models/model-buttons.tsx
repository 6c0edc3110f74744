"use client";

import type { ModelStatus } from "@nereid/client";
import { Play, RotateCw, Square } from "lucide-react";
import { useState } from "react";
import { GuardedButton } from "./guarded-button.tsx";
import { isChanging, isLoaded } from "./model-state.ts";
import { UnloadDialog } from "./unload-dialog.tsx";
import type { ModelActions } from "./use-model-actions.ts";

export interface ModelButtonsProps {
  readonly model: ModelStatus;
  readonly actions: ModelActions;
  /** Requests per second now, for the question before an unload. */
  readonly requestsPerSecond: number;
}

/** Load, reload and unload of one model. */
export function ModelButtons({ model, actions, requestsPerSecond }: ModelButtonsProps) {
  const [asking, setAsking] = useState(false);
  const pending = actions.pendingOf(model.name);
  const loaded = isLoaded(model);
  return (
    <div className="flex justify-end gap-1.5">
      <GuardedButton
        permission="model.load"
        label={`${loaded ? "Reload" : "Load"} ${model.name}`}
        busy={pending === "load"}
        disabled={pending !== undefined || isChanging(model) || !model.inRepository}
        onClick={() => actions.load(model.name)}
      >
        {pending === "load" ? null : loaded ? <RotateCw aria-hidden /> : <Play aria-hidden />}
        {loaded ? "Reload" : "Load"}
      </GuardedButton>
      {loaded ? (
        <GuardedButton
          permission="model.unload"
          label={`Unload ${model.name}`}
          busy={pending === "unload"}
          disabled={pending !== undefined || isChanging(model)}
          onClick={() => setAsking(true)}
        >
          {pending === "unload" ? null : <Square aria-hidden />}
          Unload
        </GuardedButton>
      ) : null}
      <UnloadDialog
        model={asking ? model.name : null}
        requestsPerSecond={requestsPerSecond}
        onClose={() => setAsking(false)}
        onConfirm={actions.unload}
      />
    </div>
  );
}
