import type { ModelEvent } from "@nereid/services";
import { csvTable } from "../../lib/csv-table.ts";

const HEAD = ["time", "kind", "model", "version", "node", "event", "detail", "actor", "audit entry"];

/** Events as a file of commas; times in UTC. What a spreadsheet would take for a formula is kept from being one. */
export function eventsFile(events: readonly ModelEvent[]): string {
  const rows = events.map(({ t, kind, model, version, node, label, detail, actorName, auditId }) => [
    new Date(t * 1000).toISOString(),
    kind,
    model ?? "",
    version ?? "",
    node,
    label,
    detail ?? "",
    actorName,
    auditId ?? "",
  ]);
  return csvTable([HEAD, ...rows]);
}
