import type { AuditPage } from "@nereid/services";
import Link from "../../lib/link.tsx";
import { modelPath } from "../models/model-name-cell.tsx";
import { actionText, changeText } from "./audit-words.ts";
import { LocalTime } from "./local-time.tsx";
import { OutcomeBadge } from "./outcome-badge.tsx";

/** The rows of the trail for narrow screens. */
export function AuditCards({ events }: { readonly events: AuditPage["events"] }) {
  return (
    <ul className="divide-y divide-line">
      {events.map((event) => (
        <li key={event.id} className="space-y-1 px-4 py-3">
          <div className="flex items-start justify-between gap-3">
            <p className="min-w-0 [overflow-wrap:anywhere]">
              <span className="font-medium">{actionText(event.action)}</span>{" "}
              {event.targetType === "model" ? (
                <Link
                  href={modelPath(event.targetId)}
                  className="inline-flex min-h-[24px] items-center rounded-sm font-medium underline"
                >
                  {event.targetId}
                </Link>
              ) : (
                <span className="text-ink-soft">{event.targetType}</span>
              )}
            </p>
            <OutcomeBadge outcome={event.outcome} />
          </div>
          <p className="text-[0.857rem] text-ink-soft [overflow-wrap:anywhere]">
            {event.actorName}, <LocalTime at={event.at} />
          </p>
          {event.reason === null ? null : <q className="block text-[0.893rem]">{event.reason}</q>}
          <p className="text-[0.857rem] text-ink-soft [overflow-wrap:anywhere]">
            {changeText(event.before, event.after)}{" "}
            <span className="font-mono text-[0.786rem]" title={event.requestId}>
              {event.requestId.slice(0, 8)}
            </span>
          </p>
        </li>
      ))}
    </ul>
  );
}
