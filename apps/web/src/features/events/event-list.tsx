import type { ModelEvent } from "@nereid/services";
import { Button, Card, Message } from "@nereid/ui";
import { ArrowDownToLine, ArrowUpFromLine, History, RotateCcw, Settings2, Trash2, UploadCloud } from "lucide-react";
import Link from "next/link";
import { LocalTime } from "../audit/local-time.tsx";
import { modelPath } from "../models/model-name-cell.tsx";

const ICONS = {
  deploy: UploadCloud,
  config: Settings2,
  load: ArrowUpFromLine,
  unload: ArrowDownToLine,
  rollback: History,
  restart: RotateCcw,
  delete: Trash2,
} as const;

/** What was done to models, newest first. */
export function EventList({ events }: { readonly events: readonly ModelEvent[] }) {
  return (
    <Card
      flush
      title="Recent changes"
      actions={
        <Button asChild size="small" tone="quiet">
          <Link href="/audit">Audit log</Link>
        </Button>
      }
    >
      {events.length === 0 ? (
        <Message kind="empty" title="Nothing was changed yet" />
      ) : (
        <ul className="divide-y divide-line">
          {events.map((event) => {
            const Icon = ICONS[event.kind];
            return (
              <li key={`${event.auditId ?? ""} ${event.t}`} className="flex items-start gap-3 px-4 py-2.5">
                <Icon aria-hidden className="mt-0.5 size-4 shrink-0 text-ink-soft" />
                <div className="min-w-0">
                  <p className="[overflow-wrap:anywhere]">
                    <Link href={modelPath(event.model)} className="rounded-sm font-medium hover:underline">
                      {event.model}
                    </Link>
                    : {event.label}
                  </p>
                  <p className="text-[0.857rem] text-ink-soft">
                    {event.actorName}, <LocalTime at={new Date(event.t * 1000)} relative />
                  </p>
                </div>
              </li>
            );
          })}
        </ul>
      )}
    </Card>
  );
}
