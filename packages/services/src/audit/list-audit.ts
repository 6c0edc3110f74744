import type { AuditEvent } from "@nereid/db";
import { z } from "zod";
import { authorise } from "../access/permissions.ts";
import type { Call } from "../context.ts";
import { instant } from "../instant.ts";
import { endsAfterItBegins } from "../ordered-range.ts";
import { parseInput } from "../parse-input.ts";
import { readPage } from "../read-page.ts";

/** What of the trail is wanted; all that is given must hold. */
export const auditFilter = z.object({
  /** One row. */
  id: z.string().max(100).optional(),
  /** Part of the actor's name. */
  actor: z.string().max(200).optional(),
  actorId: z.string().max(200).optional(),
  /** An action such as `model.load`, or an entity and a dot (`model.`) for all of its actions. */
  action: z.string().max(100).optional(),
  targetType: z.string().max(100).optional(),
  targetId: z.string().max(500).optional(),
  outcome: z.enum(["succeeded", "failed"]).optional(),
  /** Not before this moment. */
  from: instant.optional(),
  /** Before this moment. */
  to: instant.optional(),
  /** Part of an actor's name, action, target, reason or request id. */
  q: z.string().max(200).optional(),
});

export type AuditFilter = z.output<typeof auditFilter>;

export const listAuditInput = auditFilter
  .extend({
    /** Position after which to go on, as an earlier page answered it. */
    cursor: z.string().max(200).optional(),
    limit: z.int().min(1).max(200).default(50),
  })
  .superRefine(endsAfterItBegins);

export interface AuditPage {
  readonly events: AuditEvent[];
  readonly nextCursor: string | null;
}

/** The audit trail, newest first, a page at a time. */
export async function listAudit({ ctx, input }: Call<z.input<typeof listAuditInput>>): Promise<AuditPage> {
  authorise(ctx.actor, "audit.read");
  const { cursor, limit, ...filter } = parseInput(listAuditInput, input);
  const { auditEvent } = ctx.db;
  const { rows, nextCursor } = await readPage({
    cursor,
    limit,
    // The number decides within one instant; rows of older releases have none before they are chained at the start.
    find: (place) =>
      auditEvent.findMany({
        where: whereOf(filter),
        orderBy: [{ at: "desc" }, { seq: "desc" }, { id: "desc" }],
        ...place,
      }),
    exists: async (id) => (await auditEvent.count({ where: { id } })) > 0,
  });
  return { events: [...rows], nextCursor };
}

/** The database condition of a filter. Texts are matched as the database does: SQLite ignores case of ASCII letters. */
export function whereOf(filter: AuditFilter) {
  const { id, actor, actorId, action, targetType, targetId, outcome, from, to, q } = filter;
  const contains = q === undefined ? undefined : { contains: q };
  return {
    ...(id === undefined ? {} : { id }),
    ...(actor === undefined ? {} : { actorName: { contains: actor } }),
    ...(actorId === undefined ? {} : { actorId }),
    ...(action === undefined ? {} : { action: action.endsWith(".") ? { startsWith: action } : action }),
    ...(targetType === undefined ? {} : { targetType }),
    ...(targetId === undefined ? {} : { targetId }),
    ...(outcome === undefined ? {} : { outcome }),
    ...(from === undefined && to === undefined
      ? {}
      : { at: { ...(from === undefined ? {} : { gte: from }), ...(to === undefined ? {} : { lt: to }) } }),
    ...(contains === undefined
      ? {}
      : {
          OR: [
            { actorName: contains },
            { action: contains },
            { targetId: contains },
            { reason: contains },
            { requestId: contains },
          ],
        }),
  };
}
