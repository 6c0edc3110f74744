import type { FlightRecord } from "@nereid/client";
import { type PartKind, partsOf } from "./request-story.ts";

export const PART_COLORS: Readonly<Record<PartKind, string>> = {
  receive: "var(--line-strong)",
  queue: "var(--series-queue)",
  input: "var(--series-input)",
  infer: "var(--series-infer)",
  output: "var(--series-output)",
  write: "var(--line-strong)",
};

/** Where the time of a request went, as a bar; `longestNs` fills the whole width. */
export function TimeBar({ record, longestNs }: { readonly record: FlightRecord; readonly longestNs: number }) {
  const parts = partsOf(record).filter(({ kind }) => kind !== "receive" && kind !== "write");
  return (
    <span aria-hidden className="flex h-3 w-full min-w-24 overflow-hidden rounded-sm bg-raised">
      {parts.map(({ kind, ns }) => (
        <span
          key={kind}
          style={{ width: `${longestNs === 0 ? 0 : (ns / longestNs) * 100}%`, background: PART_COLORS[kind] }}
        />
      ))}
    </span>
  );
}
