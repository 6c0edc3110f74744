import { createHash, randomUUID } from "node:crypto";
import { isUniqueViolation, type Transaction } from "@nereid/db";
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
  /** Of all entries with this key, the first of each minute becomes a row: for what others can repeat at will. */
  readonly oncePerMinute?: string;
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
  const now = ctx.clock.now();
  const { oncePerMinute } = input;
  try {
    await ctx.db.auditEvent.create({
      data: {
        id: oncePerMinute === undefined ? randomUUID() : idOfMinute(input.action, oncePerMinute, now),
        at: new Date(now),
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
  } catch (error) {
    if (oncePerMinute === undefined || !isUniqueViolation(error)) throw error;
  }
}

/** The same for all entries of one key and minute: the database then keeps the first, also of several processes. */
function idOfMinute(action: string, key: string, now: number): string {
  const minute = Math.floor(now / 60_000);
  return createHash("sha256").update(`${minute}\n${action}\n${key}`).digest("hex").slice(0, 32);
}

/** What JSON keeps of a value: undefined fields and functions are dropped before Prisma sees them. */
function toJson(value: unknown): string | number | boolean | object {
  return JSON.parse(JSON.stringify(value)) as object;
}
