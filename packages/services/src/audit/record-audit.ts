import { randomUUID } from "node:crypto";
import type { Transaction } from "@nereid/db";
import type { Actor } from "../access/actor.ts";
import type { Clock } from "../clock.ts";

export type AuditOutcome = "succeeded" | "failed";

export interface AuditEntry {
  /** `entity.verb`, e.g. model.load. */
  readonly action: string;
  readonly targetType: string;
  readonly targetId: string;
  readonly outcome: AuditOutcome;
  readonly reason?: string | undefined;
  /** State before and after as plain JSON; never secrets. */
  readonly before?: unknown;
  readonly after?: unknown;
}

export interface AuditContext {
  /** The client, or the transaction that makes the change. */
  readonly db: Pick<Transaction, "auditEvent">;
  readonly clock: Clock;
  readonly requestId: string;
  readonly actor: Pick<Actor, "name"> & { readonly id: string | null };
}

/** Adds one row to the audit trail. */
export async function recordAudit({ ctx, input }: { ctx: AuditContext; input: AuditEntry }): Promise<void> {
  await ctx.db.auditEvent.create({
    data: {
      id: randomUUID(),
      at: new Date(ctx.clock.now()),
      actorId: ctx.actor.id,
      actorName: ctx.actor.name,
      action: input.action,
      targetType: input.targetType,
      targetId: input.targetId,
      outcome: input.outcome,
      reason: input.reason ?? null,
      requestId: ctx.requestId,
      ...(input.before === undefined ? {} : { before: toJson(input.before) }),
      ...(input.after === undefined ? {} : { after: toJson(input.after) }),
    },
  });
}

/** What JSON keeps of a value: undefined fields and functions are dropped before Prisma sees them. */
function toJson(value: unknown): string | number | boolean | object {
  return JSON.parse(JSON.stringify(value)) as object;
}
