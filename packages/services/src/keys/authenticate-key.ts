import type { ApiKey } from "@nereid/db";
import { NereidError } from "@nereid/errors";
import { type Actor, toRole } from "../access/actor.ts";
import { recordAudit } from "../audit/record-audit.ts";
import type { BaseContext } from "../context.ts";
import { hashToken } from "../setup/setup-token.ts";
import { KEY_PREFIX, scopesOf } from "./api-keys.ts";

const USE_NOTED_EVERY_MS = 60_000;

/**
 * Who acts with this secret. Throws UNAUTHENTICATED for an unknown, revoked or expired key and for one of a disabled account; the
 * last three leave an audit row, once a minute.
 */
export async function authenticateKey(ctx: BaseContext, secret: string): Promise<Actor> {
  const unknown = new NereidError("UNAUTHENTICATED", "this API key is not known here", {
    fix: "send a key that was made in this dashboard as Authorization: Bearer nrd_…",
  });
  if (!secret.startsWith(KEY_PREFIX) || secret.length > 200) throw unknown;
  const key = await ctx.db.apiKey.findUnique({
    where: { hash: hashToken(secret) },
    include: { owner: { select: { name: true, role: true, disabled: true } } },
  });
  if (key === null) throw unknown;
  const now = ctx.clock.now();
  const problem = key.owner.disabled ? "belongs to a disabled account" : problemOf(key, now);
  const name = `${key.name} (key of ${key.owner.name})`;
  if (problem !== undefined) {
    const message = `this API key ${problem}`;
    await recordAudit({
      ctx: { ...ctx, actor: { id: key.id, name, kind: "key" } },
      input: {
        action: "key.use",
        targetType: "key",
        targetId: key.id,
        outcome: "failed",
        after: { error: message },
        oncePerMinute: `${key.id}/${problem}`,
      },
    });
    throw new NereidError("UNAUTHENTICATED", message, { fix: "use another key" });
  }
  await noteUse(ctx, key, now);
  const role = toRole(key.owner.role);
  return { id: key.id, name, role, kind: "key", scopes: scopesOf(key.scopes), ownerId: key.ownerId };
}

function problemOf(key: ApiKey, now: number): string | undefined {
  if (key.revokedAt !== null) return "was revoked";
  return key.expiresAt !== null && key.expiresAt.getTime() <= now ? "has expired" : undefined;
}

/** To the minute, so that a busy program does not write with every call. */
async function noteUse(ctx: BaseContext, key: ApiKey, now: number): Promise<void> {
  if (key.lastUsedAt !== null && now - key.lastUsedAt.getTime() < USE_NOTED_EVERY_MS) return;
  await ctx.db.apiKey.updateMany({ where: { id: key.id }, data: { lastUsedAt: new Date(now) } });
}
