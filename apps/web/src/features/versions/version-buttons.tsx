"use client";

import type { Permission, VersionRow } from "@nereid/services";
import { Button, Tooltip } from "@nereid/ui";
import { Download, Play, Square, Trash2 } from "lucide-react";
import type { ReactNode } from "react";
import { withNode } from "../nodes/chosen-node.ts";
import { useNode } from "../nodes/node-context.tsx";
import { useSession } from "../shell/session-context.tsx";
import { versionRefusals } from "./version-words.ts";

export interface VersionButtonsProps {
  readonly model: string;
  readonly row: VersionRow;
  readonly pending: string | null;
  readonly onLoad: () => void;
  readonly onUnload: () => void;
  readonly onRemove: () => void;
}

const FORBIDDEN = "Your role may look but not change versions. An administrator can make you an operator.";

interface ActionProps {
  readonly label: string;
  readonly permission: Permission;
  readonly refusal: string | null;
  readonly busy: boolean;
  readonly onClick: () => void;
  readonly children: ReactNode;
}

/** Stays reachable when it cannot be used, and says why. */
function Action({ label, permission, refusal, busy, onClick, children }: ActionProps) {
  const allowed = useSession().permissions.includes(permission);
  const why = allowed ? refusal : FORBIDDEN;
  if (why === null) {
    return (
      <Button size="icon" tone="quiet" aria-label={label} title={label} busy={busy} onClick={onClick}>
        {busy ? null : children}
      </Button>
    );
  }
  return (
    <Tooltip text={why}>
      <Button size="icon" tone="quiet" aria-label={`${label}. Not now: ${why}`} aria-disabled>
        {children}
      </Button>
    </Tooltip>
  );
}

/** What can be done with one version. */
export function VersionButtons({ model, row, pending, onLoad, onUnload, onRemove }: VersionButtonsProps) {
  const { id: node } = useNode();
  const refusals = versionRefusals(row);
  const { version } = row;
  const waiting = pending === null ? null : "Something is being changed already.";
  const busy = pending === version;
  return (
    <div className="flex justify-end gap-0.5">
      {row.state === "READY" || row.state === "UNLOADING" ? (
        <Action
          label={`Unload version ${version}`}
          permission="model.unload"
          refusal={refusals.unload ?? (busy ? null : waiting)}
          busy={busy}
          onClick={onUnload}
        >
          <Square aria-hidden />
        </Action>
      ) : (
        <Action
          label={`Load version ${version}`}
          permission="model.load"
          refusal={refusals.load ?? (busy ? null : waiting)}
          busy={busy}
          onClick={onLoad}
        >
          <Play aria-hidden />
        </Action>
      )}
      {row.digest === "" ? null : (
        <Button asChild size="icon" tone="quiet">
          <a
            href={withNode(`/api/v1/models/${encodeURIComponent(model)}/versions/${version}/archive`, node)}
            download
            aria-label={`Download version ${version}`}
            title={`Download version ${version}`}
          >
            <Download aria-hidden />
          </a>
        </Button>
      )}
      <Action
        label={`Delete version ${version}`}
        permission="model.delete"
        refusal={refusals.remove ?? waiting}
        busy={false}
        onClick={onRemove}
      >
        <Trash2 aria-hidden />
      </Action>
    </div>
  );
}
