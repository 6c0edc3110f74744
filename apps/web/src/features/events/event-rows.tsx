"use client";

import type { ModelEvent } from "@nereid/services";
import { cn } from "@nereid/ui";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useRef } from "react";
import Link from "../../lib/link.tsx";
import { LocalTime } from "../audit/local-time.tsx";
import { modelPath } from "../models/model-name-cell.tsx";
import { withNode } from "../nodes/chosen-node.ts";
import { useNode } from "../nodes/node-context.tsx";
import { eventLinks, nodeOf } from "./event-links.ts";
import { KIND_LOOKS } from "./kind-looks.ts";

const ROW_PX = 76;

/** The events, of which only those on the screen are drawn. */
export function EventRows({ events, now }: { readonly events: readonly ModelEvent[]; readonly now: number }) {
  const frame = useRef<HTMLElement>(null);
  const rows = useVirtualizer({
    count: events.length,
    getScrollElement: () => frame.current,
    estimateSize: () => ROW_PX,
    overscan: 12,
    getItemKey: (index) => events[index]?.id ?? index,
  });
  const items = rows.getVirtualItems();
  return (
    <section
      ref={frame}
      aria-label="Events, newest first"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a frame that scrolls must be reachable by keyboard
      tabIndex={0}
      className="max-h-[70dvh] overflow-auto rounded-b-lg"
    >
      <div style={{ height: rows.getTotalSize() }} className="relative">
        <ol style={{ transform: `translateY(${items[0]?.start ?? 0}px)` }}>
          {items.map((item) => {
            const event = events[item.index];
            return event === undefined ? null : (
              <li
                key={item.key}
                ref={rows.measureElement}
                data-index={item.index}
                aria-setsize={events.length}
                aria-posinset={item.index + 1}
                className="border-line border-b px-4 py-2.5"
              >
                <EventRow event={event} now={now} />
              </li>
            );
          })}
        </ol>
      </div>
    </section>
  );
}

function EventRow({ event, now }: { readonly event: ModelEvent; readonly now: number }) {
  const { choices } = useNode();
  const { t, kind, model, label, detail, actorName, node } = event;
  const { Icon, trouble } = KIND_LOOKS[kind];
  const over = kind === "alert" && event.id.endsWith("/closed");
  const nodeName = choices.find(({ id }) => id === node)?.name ?? node;
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-1">
      <div className="flex min-w-0 grow basis-80 items-start gap-3">
        <Icon aria-hidden className={cn("mt-0.5 size-4 shrink-0", trouble && !over ? "text-bad" : "text-ink-soft")} />
        <div className="min-w-0">
          <p className="[overflow-wrap:anywhere]">
            {model === null ? null : (
              <>
                <Link
                  href={withNode(modelPath(model), nodeOf(event))}
                  className="inline-flex min-h-[24px] items-center rounded-sm font-medium hover:underline"
                >
                  {model}
                </Link>
                {": "}
              </>
            )}
            {label}
          </p>
          {detail === null ? null : <p className="line-clamp-3 text-[0.893rem] [overflow-wrap:anywhere]">{detail}</p>}
          <p className="text-[0.857rem] text-ink-soft">
            {actorName}, <LocalTime at={new Date(t * 1000)} /> (<LocalTime at={new Date(t * 1000)} relative />)
            {choices.length > 1 ? `, ${nodeName}` : ""}
          </p>
        </div>
      </div>
      <ul className="flex flex-wrap gap-x-4 pl-7 text-[0.893rem] md:pl-0">
        {eventLinks(event, now).map((link) => (
          <li key={link.label}>
            <Link
              href={link.href}
              aria-label={`${link.label}: ${model ?? ""} ${label}`}
              className="inline-flex min-h-[24px] items-center rounded-sm text-accent underline underline-offset-2"
            >
              {link.label}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}
