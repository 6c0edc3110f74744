import type { AuditEvent } from "@nereid/db";
import { z } from "zod";
import { authorise } from "../access/permissions.ts";
import type { Call } from "../context.ts";
import { endsAfterItBegins } from "../ordered-range.ts";
import { parseInput } from "../parse-input.ts";
import { auditFilter, whereOf } from "./list-audit.ts";
import { recordAudit } from "./record-audit.ts";

const PAGE = 500;

export const exportAuditInput = auditFilter
  .extend({ format: z.enum(["csv", "jsonl"]).default("jsonl") })
  .superRefine(endsAfterItBegins);

const COLUMNS = [
  "seq",
  "at",
  "actorKind",
  "actorId",
  "actorName",
  "action",
  "targetType",
  "targetId",
  "outcome",
  "reason",
  "requestId",
  "before",
  "after",
  "id",
  "previousHash",
  "hash",
] as const satisfies readonly (keyof AuditEvent)[];

/** The trail as text in pieces, oldest first; that somebody took it stands in it afterwards. */
export async function* exportAudit({
  ctx,
  input,
}: Call<z.input<typeof exportAuditInput>>): AsyncGenerator<string, void, undefined> {
  authorise(ctx.actor, "audit.read");
  const { format, ...filter } = parseInput(exportAuditInput, input);
  await recordAudit({
    ctx,
    input: {
      action: "audit.export",
      targetType: "audit",
      targetId: format,
      outcome: "succeeded",
      after: { ...filter },
    },
  });
  const where = whereOf(filter);
  if (format === "csv") yield `${COLUMNS.join(",")}\r\n`;
  let after = 0;
  for (;;) {
    const rows = await ctx.db.auditEvent.findMany({
      where: { AND: [where, { seq: { gt: after } }] },
      orderBy: { seq: "asc" },
      take: PAGE,
    });
    if (rows.length > 0) yield rows.map(format === "csv" ? csvLine : jsonLine).join("");
    if (rows.length < PAGE) return;
    after = rows.at(-1)?.seq ?? after;
  }
}

function jsonLine(row: AuditEvent): string {
  return `${JSON.stringify(row)}\n`;
}

function csvLine(row: AuditEvent): string {
  return `${COLUMNS.map((column) => csvCell(row[column])).join(",")}\r\n`;
}

/**
 * One cell as RFC 4180 has it. A text that a spreadsheet would take for a formula gets an apostrophe in front: names in the trail come
 * from strangers.
 */
export function csvCell(value: unknown): string {
  if (value === null || value === undefined) return "";
  const text =
    value instanceof Date ? value.toISOString() : typeof value === "object" ? JSON.stringify(value) : `${value}`;
  const safe = /^[=+\-@\t\r]/.test(text) && typeof value !== "number" ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
