"use client";

import type { ModelStatus } from "@nereid/client";
import type { Permission } from "@nereid/services";
import { Button, Tooltip } from "@nereid/ui";
import { Play, RotateCw, Square } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useSession } from "../shell/session-context.tsx";
import { isChanging, isLoaded } from "./model-state.ts";
import { UnloadDialog } from "./unload-dialog.tsx";
import type { ModelActions } from "./use-model-actions.ts";

interface GuardedProps {
  readonly permission: Permission;
  readonly busy: boolean;
  readonly disabled: boolean;
  readonly label: string;
  readonly onClick: () => void;
  readonly children: ReactNode;
}

/** Stays visible and focusable without the permission, and says why it does nothing. */
function GuardedButton({ permission, busy, disabled, label, onClick, children }: GuardedProps) {
  const allowed = useSession().permissions.includes(permission);
  if (allowed) {
    return (
      <Button size="small" aria-label={label} busy={busy} disabled={disabled} onClick={onClick}>
        {children}
      </Button>
    );
  }
  return (
    <Tooltip text="Your role may look but not change models. An administrator can make you an operator.">
      <Button size="small" aria-label={label} aria-disabled>
        {children}
      </Button>
    </Tooltip>
  );
}

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
