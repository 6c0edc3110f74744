"use client";

import type { FlightRecord } from "@nereid/client";
import { Badge, Banner, formatBytes, formatDateTime, formatDuration, Sheet } from "@nereid/ui";
import type { ReactNode } from "react";
import { reasonWords } from "./reason-words.ts";
import { storyOf } from "./request-story.ts";
import { Waterfall } from "./waterfall.tsx";

export interface RequestSheetProps {
  readonly record: FlightRecord | null;
  /** The remembered requests by id and `#serial`, for the links to those of the same batch. */
  readonly known: ReadonlyMap<string, FlightRecord>;
  readonly onOpen: (serial: number) => void;
  readonly onClose: () => void;
}

/** The whole story of one request. */
export function RequestSheet({ record, known, onOpen, onClose }: RequestSheetProps) {
  if (record === null) return null;
  const { batch, instance, queue, shapes, bytes, error } = record;
  const facts: readonly (readonly [string, ReactNode])[] = [
    ["Queued", formatDateTime(new Date(record.atMs))],
    ["Took", formatDuration(record.totalNs / 1e6)],
    ["Version", record.version],
    ["Remembered because", record.causes.map((cause) => CAUSES[cause]).join(", ")],
    ["In the queue before it", `${queue.position}, priority ${queue.priority}`],
    ["Instance", instance === undefined ? "none" : `${instance.name}, device ${instance.device}`],
    [
      "Batch",
      batch === undefined
        ? "none"
        : `size ${batch.size} of ${batch.requests} requests, sent because ${reasonWords(batch.reason)}; ${batch.leftWaiting} stayed in the queue`,
    ],
    [
      "Inputs",
      shapes.length === 0 ? "not known" : shapes.map(({ name, shape }) => `${name} [${shape.join(", ")}]`).join(", "),
    ],
    ["Bytes", `${formatBytes(bytes.input)} in, ${formatBytes(bytes.output)} out, ${formatBytes(bytes.copied)} copied`],
    ...(record.sequence === undefined ? [] : [["Sequence", record.sequence] as const]),
  ];
  return (
    <Sheet
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={`Request ${nameOf(record)}`}
      description={storyOf(record)}
    >
      <div className="space-y-5">
        {error === undefined ? null : (
          <Banner tone="bad">
            <span className="font-mono">{error.code}</span>: {error.message}
          </Banner>
        )}
        <section aria-label="Where the time went" className="space-y-2">
          <h3 className="font-semibold">Where the time went</h3>
          <Waterfall record={record} />
        </section>
        <dl className="grid grid-cols-[9rem_1fr] gap-x-3 gap-y-1.5">
          {facts.map(([name, value]) => (
            <div key={name} className="contents">
              <dt className="text-ink-soft">{name}</dt>
              <dd className="min-w-0 [overflow-wrap:anywhere]">{value}</dd>
            </div>
          ))}
        </dl>
        {batch === undefined || batch.mates.length === 0 ? null : (
          <section aria-label="In the same batch" className="space-y-2">
            <h3 className="font-semibold">In the same batch</h3>
            <ul className="flex flex-wrap gap-2">
              {batch.mates.map((mate) => {
                const other = known.get(mate);
                return (
                  <li key={mate}>
                    {other === undefined ? (
                      <Badge>{mate} (not in this list)</Badge>
                    ) : (
                      <button
                        type="button"
                        className="min-h-[24px] rounded-sm px-1.5 font-mono underline hover:bg-raised"
                        onClick={() => onOpen(other.serial)}
                      >
                        {mate}
                      </button>
                    )}
                  </li>
                );
              })}
            </ul>
          </section>
        )}
      </div>
    </Sheet>
  );
}

export const CAUSES: Readonly<Record<FlightRecord["causes"][number], string>> = {
  sampled: "sample",
  slow: "slow",
  failed: "failed",
};

/** The client's id, or the server's number of a request without one. */
export function nameOf({ id, serial }: FlightRecord): string {
  return id === "" ? `#${serial}` : id;
}
