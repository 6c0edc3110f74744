import type { FlightRecord } from "@nereid/client";
import { textTable } from "../text-table.ts";
import { nameOf, plain, timeText } from "./request-words.ts";

const COLUMNS = [
  { title: "when (UTC)" },
  { title: "request" },
  { title: "model" },
  { title: "because" },
  { title: "took", numeric: true },
  { title: "waited", numeric: true },
  { title: "batch", numeric: true },
  { title: "outcome" },
];

/** Requests as a table for a terminal. Pure. */
export function requestLines(records: readonly FlightRecord[]): string[] {
  return textTable(
    COLUMNS,
    records.map((record) => [
      new Date(record.atMs).toISOString().replace("T", " ").replace("Z", ""),
      nameOf(record),
      `${record.model}/${record.version}`,
      record.causes.join(", "),
      timeText(record.totalNs),
      timeText(record.queue.waitedNs),
      record.batch === undefined ? "-" : String(record.batch.size),
      record.error === undefined ? record.outcome : `${record.error.code}: ${plain(record.error.message)}`,
    ]),
  );
}
