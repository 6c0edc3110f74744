import type { ModelStatus } from "@nereid/client";
import { StatePill, Tooltip } from "@nereid/ui";
import Link from "../../lib/link.tsx";
import { modelState } from "./model-state.ts";
import type { PendingAction } from "./use-model-actions.ts";

/** Address of a model's page. */
export const modelPath = (name: string): string => `/models/${encodeURIComponent(name)}`;

export function ModelName({ model }: { readonly model: ModelStatus }) {
  return (
    <div className="min-w-0">
      <Link
        href={modelPath(model.name)}
        className="inline-flex min-h-[24px] items-center rounded-sm font-medium [overflow-wrap:anywhere] hover:underline"
      >
        {model.name}
      </Link>
      <p className="text-[0.786rem] text-ink-soft">
        {model.backend || model.platform || "backend not known yet"}
        {model.inRepository ? null : ", no longer in the repository"}
      </p>
    </div>
  );
}

export interface ModelStateProps {
  readonly model: ModelStatus;
  readonly pending: PendingAction | undefined;
}

/** The state, ahead of the server where this page has asked for a change. */
export function ModelStatePill({ model, pending }: ModelStateProps) {
  const { state } = modelState(model);
  return <StatePill state={pending === "load" ? "loading" : pending === "unload" ? "unloading" : state} />;
}

/** Why the state is what it is: two lines of it, the whole in reach of keyboard and mouse. */
export function ModelStateReason({ model, pending }: ModelStateProps) {
  const { reason } = modelState(model);
  if (reason === "" || pending !== undefined) return null;
  return (
    <Tooltip text={<span className="[overflow-wrap:anywhere]">{reason}</span>}>
      <button
        type="button"
        className="mt-1 line-clamp-2 min-h-[24px] max-w-full cursor-help rounded-sm text-left text-[0.786rem] text-ink-soft [overflow-wrap:anywhere]"
      >
        {reason}
      </button>
    </Tooltip>
  );
}
