"use client";

import { CopyAsMenu } from "@nereid/ui";
import { copyCall } from "../../lib/copy-call.ts";
import { useHydrated } from "../../lib/use-hydrated.ts";

export interface CopyModelActionProps {
  readonly model: string;
  /** `version` for one version only. */
  readonly action:
    | { readonly kind: "load" | "unload"; readonly version?: string }
    | { readonly kind: "rollback"; readonly to?: string };
  readonly label?: string;
}

/** Copies what a button would do. */
export function CopyModelAction({ model, action, label = "Copy as" }: CopyModelActionProps) {
  const hydrated = useHydrated();
  const base = `/models/${encodeURIComponent(model)}`;
  const version = action.kind === "rollback" ? undefined : action.version;
  const texts = copyCall({
    origin: hydrated ? location.origin : "",
    method: "POST",
    path: version === undefined ? `${base}/${action.kind}` : `${base}/versions/${version}/${action.kind}`,
    body: action.kind === "rollback" && action.to !== undefined ? { to: action.to } : {},
    cli: {
      words: [
        action.kind,
        version === undefined ? model : `${model}/${version}`,
        ...(action.kind === "rollback" && action.to !== undefined ? [`--to=${action.to}`] : []),
      ],
    },
  });
  return <CopyAsMenu {...texts} label={label} />;
}
