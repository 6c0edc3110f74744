import type { ModelStatus } from "@nereid/client";
import { StatePill, Tooltip } from "@nereid/ui";
import Link from "next/link";
import { modelState } from "./model-state.ts";
import type { PendingAction } from "./use-model-actions.ts";

/** Address of a model's page. */
export const modelPath = (name: string): string => `/models/${encodeURIComponent(name)}`;

export function ModelName({ model }: { readonly model: ModelStatus }) {
  return (
    <div className="min-w-0">
      <Link
        href={modelPath(model.name)}
        className="inline-flex min-h-6 items-center rounded-sm font-medium [overflow-wrap:anywhere] hover:underline"
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

/** The state, ahead of the server where this page has asked for a change, with its reason in reach of keyboard and mouse. */
export function ModelStateCell({
  model,
  pending,
}: {
  readonly model: ModelStatus;
  readonly pending: PendingAction | undefined;
}) {
  const { state, reason } = modelState(model);
  const shown = pending === "load" ? "loading" : pending === "unload" ? "unloading" : state;
  if (reason === "" || pending !== undefined) return <StatePill state={shown} />;
  return (
    <div className="max-w-72">
      <StatePill state={shown} />
      <Tooltip text={<span className="[overflow-wrap:anywhere]">{reason}</span>}>
        <button
          type="button"
          className="mt-0.5 line-clamp-2 block min-h-6 rounded-sm text-left text-[0.786rem] text-ink-soft [overflow-wrap:anywhere]"
        >
          {reason}
        </button>
      </Tooltip>
    </div>
  );
}
