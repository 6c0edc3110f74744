"use client";

import type { AlertRecord } from "@nereid/services";
import { Badge, Button } from "@nereid/ui";
import { BellRing, CircleCheck } from "lucide-react";
import Link from "../../lib/link.tsx";
import { LocalTime } from "../audit/local-time.tsx";
import { GuardedButton } from "../models/guarded-button.tsx";
import { modelPath } from "../models/model-name-cell.tsx";

export interface AlertRowProps {
  readonly alert: AlertRecord;
  readonly busy: boolean;
  readonly onAcknowledge: (alert: AlertRecord, acknowledged: boolean) => void;
}

/** One alert: what, since when, who looks after it, and the way to its cause. */
export function AlertRow({ alert, busy, onAcknowledge }: AlertRowProps) {
  const { title, severity, model, openedAtMs, closedAtMs, acknowledgedByName } = alert;
  const open = closedAtMs === null;
  const Icon = open ? BellRing : CircleCheck;
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-3">
      <div className="flex min-w-0 items-start gap-3">
        <Icon aria-hidden className={open ? "mt-0.5 size-5 shrink-0 text-bad" : "mt-0.5 size-5 shrink-0 text-ok"} />
        <div className="min-w-0">
          <p className="font-medium [overflow-wrap:anywhere]">{title}</p>
          <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-[0.857rem] text-ink-soft">
            <Badge tone={severity === "page" ? "bad" : "warn"}>{severity === "page" ? "Page" : "Ticket"}</Badge>
            <span>
              since <LocalTime at={new Date(openedAtMs)} relative />
              {closedAtMs === null ? null : (
                <>
                  , over <LocalTime at={new Date(closedAtMs)} relative />
                </>
              )}
            </span>
            {acknowledgedByName === null ? null : <span>{acknowledgedByName} looks after it</span>}
          </p>
        </div>
      </div>
      <div className="flex flex-wrap gap-2">
        {model === null ? null : (
          <>
            <Button asChild size="small">
              <Link href={`${modelPath(model)}/latency`}>Look</Link>
            </Button>
            <Button asChild size="small">
              <Link href={diagnosePath(alert, model)}>Diagnose</Link>
            </Button>
          </>
        )}
        {open ? (
          <GuardedButton
            permission="alert.acknowledge"
            label={acknowledgedByName === null ? `Acknowledge: ${title}` : `Take back the acknowledgement of: ${title}`}
            busy={busy}
            onClick={() => onAcknowledge(alert, acknowledgedByName === null)}
          >
            {acknowledgedByName === null ? "Acknowledge" : "Take back"}
          </GuardedButton>
        ) : null}
      </div>
    </li>
  );
}

const BEFORE_S = 300;

/** The diagnosis of the minutes around the alert's beginning. */
function diagnosePath({ openedAtMs, closedAtMs }: AlertRecord, model: string): string {
  const opened = Math.floor(openedAtMs / 1000);
  const to = Math.min(opened + BEFORE_S, Math.floor((closedAtMs ?? Number.POSITIVE_INFINITY) / 1000));
  return `/diagnose?${new URLSearchParams({ model, from: String(opened - BEFORE_S), to: String(Math.max(to, opened + 1)) })}`;
}
