"use client";

import type { Traffic } from "@nereid/client";
import { CopyAsMenu } from "@nereid/ui";
import { type CopyCall, copyCall } from "../../lib/copy-call.ts";
import { useHydrated } from "../../lib/use-hydrated.ts";

export type ModelAction =
  /** `version` for one version only. */
  | { readonly kind: "load" | "unload"; readonly version?: string }
  | { readonly kind: "rollback"; readonly to?: string }
  | { readonly kind: "traffic"; readonly to: Traffic | null };

export interface CopyModelActionProps {
  readonly model: string;
  readonly action: ModelAction;
  readonly label?: string;
}

/** Copies what a button would do. */
export function CopyModelAction({ model, action, label = "Copy as" }: CopyModelActionProps) {
  const hydrated = useHydrated();
  return (
    <CopyAsMenu {...copyCall({ origin: hydrated ? location.origin : "", ...callOf(model, action) })} label={label} />
  );
}

function callOf(model: string, action: ModelAction): Omit<CopyCall, "origin"> {
  const base = `/models/${encodeURIComponent(model)}`;
  switch (action.kind) {
    case "traffic": {
      const { to } = action;
      const weights = Object.entries(to?.weights ?? {}).map(([version, weight]) => `${version}=${weight}`);
      const sticky = to?.stickyHeader === undefined ? [] : [`--sticky-header=${to.stickyHeader}`];
      return {
        method: "PUT",
        path: `${base}/traffic`,
        body: to ?? { weights: null },
        cli: {
          words: ["traffic", model, ...(to === null ? ["--clear"] : [`--weights=${weights.join(",")}`, ...sticky])],
        },
      };
    }
    case "rollback": {
      const { to } = action;
      return {
        method: "POST",
        path: `${base}/rollback`,
        body: to === undefined ? {} : { to },
        cli: { words: ["rollback", model, ...(to === undefined ? [] : [`--to=${to}`])] },
      };
    }
    default: {
      const { kind, version } = action;
      return {
        method: "POST",
        path: version === undefined ? `${base}/${kind}` : `${base}/versions/${version}/${kind}`,
        body: {},
        cli: { words: [kind, version === undefined ? model : `${model}/${version}`] },
      };
    }
  }
}
