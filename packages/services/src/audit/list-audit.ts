import type { AuditEvent } from "@nereid/db";
import { z } from "zod";
import { authorise } from "../access/permissions.ts";
import type { Call } from "../context.ts";
import { parseInput } from "../parse-input.ts";

export const listAuditInput = z.object({
  /** Position after which to go on, as an earlier page answered it. */
  cursor: z.string().max(200).optional(),
  limit: z.int().min(1).max(200).default(50),
  targetType: z.string().max(100).optional(),
  targetId: z.string().max(500).optional(),
});

export interface AuditPage {
  readonly events: AuditEvent[];
  readonly nextCursor: string | null;
}

/** The audit trail, newest first, a page at a time. */
export async function listAudit({ ctx, input }: Call<z.input<typeof listAuditInput>>): Promise<AuditPage> {
  authorise(ctx.actor, "audit.read");
  const { cursor, limit, targetType, targetId } = parseInput(listAuditInput, input);
  const rows = await ctx.db.auditEvent.findMany({
    where: {
      ...(targetType === undefined ? {} : { targetType }),
      ...(targetId === undefined ? {} : { targetId }),
    },
    orderBy: [{ at: "desc" }, { id: "desc" }],
    take: limit + 1,
    ...(cursor === undefined ? {} : { cursor: { id: cursor }, skip: 1 }),
  });
  const events = rows.slice(0, limit);
  return { events, nextCursor: rows.length > limit ? (events.at(-1)?.id ?? null) : null };
}
