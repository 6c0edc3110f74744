import { randomUUID } from "node:crypto";
import type { ApiKey, Transaction } from "@nereid/db";
import { NereidError } from "@nereid/errors";
import { z } from "zod";
import { accountOfActor, type Role, toRole } from "../access/actor.ts";
import { ALL_PERMISSIONS, authorise, can, type Permission } from "../access/permissions.ts";
import { changeRecords } from "../change-records.ts";
import type { Call, ServiceContext } from "../context.ts";
import { instant, reason } from "../instant.ts";
import { parseInput } from "../parse-input.ts";
import { generateToken, hashToken } from "../setup/setup-token.ts";

/** What every secret of a key begins with. */
export const KEY_PREFIX = "nrd_";
const SHOWN_CHARACTERS = 12;
const MOST_KEYS = 100;

export const permission = z.enum(ALL_PERMISSIONS as readonly [Permission, ...Permission[]]);

export const createKeyInput = z.object({
  name: z.string().trim().min(1, "must not be empty").max(100),
  scopes: z.array(permission).min(1, "must name at least one permission").max(ALL_PERMISSIONS.length),
  /** When the key stops working; null = never. */
  expiresAt: instant.nullish(),
  reason,
});

export const revokeKeyInput = z.object({ id: z.string().min(1).max(100), reason });

export interface KeyRow {
  readonly id: string;
  readonly name: string;
  /** First characters of the secret. */
  readonly prefix: string;
  readonly scopes: readonly Permission[];
  /** The owner's role today; the key may do what both this and its scopes allow. */
  readonly role: Role;
  readonly createdByName: string;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  /** To the minute. */
  readonly lastUsedAt: Date | null;
  readonly revokedAt: Date | null;
}

type KeyWithOwner = ApiKey & { readonly owner: { readonly name: string; readonly role: string } };

const WITH_OWNER = { owner: { select: { name: true, role: true } } } as const;

/** The caller's keys, newest first; an administrator sees everybody's. */
export async function listKeys({ ctx }: Pick<Call, "ctx">): Promise<KeyRow[]> {
  authorise(ctx.actor, "key.manage");
  const rows = await ctx.db.apiKey.findMany({
    where: mayAll(ctx) ? {} : { ownerId: accountOfActor(ctx.actor) ?? "" },
    orderBy: [{ createdAt: "desc" }, { id: "asc" }],
    include: WITH_OWNER,
  });
  return rows.map(toRow);
}

/** When the key that asks stops working; null for a person and for a key without an end. */
async function endOfActor(actor: Call["ctx"]["actor"], tx: Transaction): Promise<Date | null> {
  if (actor.kind !== "key") return null;
  const row = await tx.apiKey.findUnique({ where: { id: actor.id }, select: { expiresAt: true } });
  return row?.expiresAt ?? null;
}

/** Makes a key for the caller's account. Its secret is in this answer only; the scopes must be the caller's own. */
export async function createKey({
  ctx,
  input,
}: Call<z.input<typeof createKeyInput>>): Promise<{ key: KeyRow; secret: string }> {
  const { name, scopes, expiresAt, reason } = parseInput(createKeyInput, input);
  const secret = `${KEY_PREFIX}${generateToken()}`;
  const id = randomUUID();
  return changeRecords(ctx, {
    action: "key.create",
    permission: "key.manage",
    targetType: "key",
    targetId: id,
    reason,
    work: async (tx) => {
      const now = new Date(ctx.clock.now());
      const ownerId = accountOfActor(ctx.actor);
      if (ownerId === null) throw new NereidError("FORBIDDEN", "only an account can have keys");
      const missing = scopes.filter((scope) => !can(ctx.actor, scope));
      if (missing.length > 0) {
        throw new NereidError("FORBIDDEN", `a key cannot be given what you may not do: ${missing.join(", ")}`, {
          fix: "leave these scopes out",
        });
      }
      const latest = await endOfActor(ctx.actor, tx);
      if (latest !== null && (expiresAt == null || expiresAt > latest)) {
        throw new NereidError("FORBIDDEN", "a key cannot make one that outlives it", {
          fix: `let it end by ${latest.toISOString()}`,
        });
      }
      if (expiresAt && expiresAt <= now) throw new NereidError("INVALID_ARGUMENT", "expiresAt: lies in the past");
      if ((await tx.apiKey.count({ where: { ownerId, revokedAt: null } })) >= MOST_KEYS) {
        throw new NereidError("TOO_MANY_REQUESTS", `an account has ${MOST_KEYS} keys at most`, {
          fix: "revoke old ones",
        });
      }
      const row = await tx.apiKey.create({
        data: {
          id,
          hash: hashToken(secret),
          prefix: secret.slice(0, SHOWN_CHARACTERS),
          name,
          scopes: JSON.stringify([...new Set(scopes)]),
          ownerId,
          createdAt: now,
          expiresAt: expiresAt ?? null,
        },
        include: WITH_OWNER,
      });
      const key = toRow(row);
      return { result: { key, secret }, after: { name, scopes: key.scopes, expiresAt: expiresAt ?? null } };
    },
  });
}

/** Ends a key at once. Its owner and administrators may. */
export async function revokeKey({ ctx, input }: Call<z.input<typeof revokeKeyInput>>): Promise<void> {
  const { id, reason } = parseInput(revokeKeyInput, input);
  await changeRecords(ctx, {
    action: "key.revoke",
    permission: "key.manage",
    targetType: "key",
    targetId: id,
    reason,
    work: async (tx) => {
      const owner = mayAll(ctx) ? {} : { ownerId: accountOfActor(ctx.actor) ?? "" };
      const row = await tx.apiKey.findFirst({ where: { id, ...owner }, include: WITH_OWNER });
      if (row === null) throw new NereidError("NOT_FOUND", "you have no such key");
      if (row.revokedAt === null) {
        await tx.apiKey.update({ where: { id }, data: { revokedAt: new Date(ctx.clock.now()) } });
      }
      return { result: undefined, after: { name: row.name, owner: row.owner.name } };
    },
  });
}

/** The permissions that a row names; what this release does not know is left out. */
export function scopesOf(text: string): Permission[] {
  const found: unknown = JSON.parse(text);
  return ALL_PERMISSIONS.filter((known) => Array.isArray(found) && found.includes(known));
}

function mayAll(ctx: ServiceContext): boolean {
  return can(ctx.actor, "user.manage");
}

function toRow({ id, name, prefix, scopes, owner, createdAt, expiresAt, lastUsedAt, revokedAt }: KeyWithOwner): KeyRow {
  const facts = { id, name, prefix, createdAt, expiresAt, lastUsedAt, revokedAt };
  return { ...facts, scopes: scopesOf(scopes), role: toRole(owner.role), createdByName: owner.name };
}
