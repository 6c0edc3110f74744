import type { ModelEvent } from "@nereid/services";
import { Button, Card, Message } from "@nereid/ui";
import Link from "../../lib/link.tsx";
import { LocalTime } from "../audit/local-time.tsx";
import { modelPath } from "../models/model-name-cell.tsx";
import { KIND_LOOKS } from "./kind-looks.ts";

/** What was done to models, newest first. */
export function EventList({ events }: { readonly events: readonly ModelEvent[] }) {
  return (
    <Card
      flush
      title="Recent changes"
      actions={
        <Button asChild size="small" tone="quiet">
          <Link href="/events">All events</Link>
        </Button>
      }
    >
      {events.length === 0 ? (
        <Message kind="empty" title="Nothing was changed yet" />
      ) : (
        <ul className="divide-y divide-line">
          {events.map((event) => {
            const { Icon } = KIND_LOOKS[event.kind];
            return (
              <li key={event.id} className="flex items-start gap-3 px-4 py-2.5">
                <Icon aria-hidden className="mt-0.5 size-4 shrink-0 text-ink-soft" />
                <div className="min-w-0">
                  <p className="[overflow-wrap:anywhere]">
                    {event.model === null ? null : (
                      <>
                        <Link href={modelPath(event.model)} className="rounded-sm font-medium hover:underline">
                          {event.model}
                        </Link>
                        {": "}
                      </>
                    )}
                    {event.label}
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
