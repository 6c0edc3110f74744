import { accountOfActor, type Role, toRole } from "../access/actor.ts";
import { authorise } from "../access/permissions.ts";
import type { Call } from "../context.ts";

export interface UserRow {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  readonly createdAt: Date;
  /** Signs in with a second factor. */
  readonly twoFactor: boolean;
  /** When one of the present sessions was last renewed (at most once a day) or begun; null without a session. */
  readonly lastSeenAt: Date | null;
  /** Sessions that have not ended. */
  readonly sessions: number;
  readonly disabled: boolean;
}

/** Every account, by name. */
export async function listUsers({ ctx }: Pick<Call, "ctx">): Promise<UserRow[]> {
  authorise(ctx.actor, "user.manage");
  const now = new Date(ctx.clock.now());
  const users = await ctx.db.user.findMany({
    orderBy: [{ name: "asc" }, { id: "asc" }],
    include: { sessions: { where: { expiresAt: { gt: now } }, select: { updatedAt: true } } },
  });
  return users.map((user) => ({
    id: user.id,
    name: user.name,
    email: user.email,
    role: toRole(user.role),
    createdAt: user.createdAt,
    twoFactor: user.twoFactorEnabled ?? false,
    lastSeenAt: user.sessions.map(({ updatedAt }) => updatedAt).sort((a, b) => b.getTime() - a.getTime())[0] ?? null,
    sessions: user.sessions.length,
    disabled: user.disabled,
  }));
}

/** Whether the caller's account signs in with a second factor. */
export async function hasTwoFactor({ ctx }: Pick<Call, "ctx">): Promise<boolean> {
  const id = accountOfActor(ctx.actor);
  if (id === null) return false;
  const user = await ctx.db.user.findUnique({ where: { id }, select: { twoFactorEnabled: true } });
  return user?.twoFactorEnabled ?? false;
}
