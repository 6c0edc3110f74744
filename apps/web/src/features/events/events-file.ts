import type { ModelEvent } from "@nereid/services";

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
  return `${[HEAD, ...rows].map((row) => row.map(cell).join(",")).join("\r\n")}\r\n`;
}

function cell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
