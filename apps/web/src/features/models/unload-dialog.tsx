"use client";

import { ConfirmDialog } from "@nereid/ui";
import { CopyModelAction } from "./copy-model-action.tsx";

export interface UnloadDialogProps {
  /** The model in question; null while nothing is asked. */
  readonly model: string | null;
  /** Requests per second now; null where that is not known. */
  readonly requestsPerSecond: number | null;
  readonly onClose: () => void;
  readonly onConfirm: (model: string) => void;
}

/** Asks before a model stops taking requests, and says what that means. */
export function UnloadDialog({ model, requestsPerSecond, onClose, onConfirm }: UnloadDialogProps) {
  return (
    <ConfirmDialog
      open={model !== null}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={`Unload ${model ?? ""}?`}
      action={`Unload ${model ?? ""}`}
      onConfirm={() => {
        if (model !== null) onConfirm(model);
      }}
    >
      <p>
        Requests that are running finish; new ones for <strong className="text-ink">{model}</strong> are refused until
        it is loaded again. Its memory is given back.
      </p>
      {requestsPerSecond !== null && requestsPerSecond > 0 ? (
        <p className="font-medium text-bad">
          It is serving {requestsPerSecond.toFixed(1)} requests per second right now.
        </p>
      ) : null}
      {model === null ? null : <CopyModelAction model={model} action={{ kind: "unload" }} />}
    </ConfirmDialog>
  );
}
