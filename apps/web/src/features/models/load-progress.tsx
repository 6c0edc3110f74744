"use client";

import type { ModelStatus } from "@nereid/client";
import { X } from "lucide-react";
import { GuardedButton } from "./guarded-button.tsx";
import { loadText } from "./load-words.ts";
import type { ModelActions } from "./use-model-actions.ts";

export interface LoadProgressProps {
  readonly model: Pick<ModelStatus, "name" | "loading">;
  readonly actions: ModelActions;
}

/** How far a load is, and the way to end it; nothing when there is none. */
export function LoadProgress({ model, actions }: LoadProgressProps) {
  const text = loadText(model.loading ?? []);
  if (text === null) return null;
  return (
    <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1 py-0.5">
      <p className="text-[0.857rem] text-busy tabular-nums">{text}</p>
      <GuardedButton
        permission="model.load"
        label={`Cancel the load of ${model.name}`}
        busy={actions.isCancelling(model.name)}
        onClick={() => actions.cancelLoad(model.name)}
      >
        {actions.isCancelling(model.name) ? null : <X aria-hidden />}
        Cancel
      </GuardedButton>
    </div>
  );
}
