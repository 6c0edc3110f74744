import type { Transaction } from "@nereid/db";
import { NereidError } from "@nereid/errors";
import type { z } from "zod";
import { accountOfActor, type Role } from "../access/actor.ts";
import { changeRecords } from "../change-records.ts";
import type { Call } from "../context.ts";
import { parseInput } from "../parse-input.ts";
import { changeUserInput, requireOtherAdmin, requireUser, role } from "./user-input.ts";

export const setRoleInput = changeUserInput.extend({ role });

/** Gives an account another role, at once also for its keys. CONFLICT for the last administrator. */
export async function setRole({ ctx, input }: Call<z.input<typeof setRoleInput>>): Promise<{ role: Role }> {
  const { id, role, reason } = parseInput(setRoleInput, input);
  return changeRecords(ctx, {
    action: "user.role",
    permission: "user.manage",
    targetType: "user",
    targetId: id,
    reason,
    work: async (tx) => {
      const user = await requireUser(tx, id);
      if (role !== "admin") await requireOtherAdmin(tx, user, "given another role");
      await tx.user.update({ where: { id }, data: { role } });
      if (role !== "admin") await revokeLinksOf(tx, id, new Date(ctx.clock.now()));
      return { result: { role }, before: { role: user.role }, after: { name: user.name, role } };
    },
  });
}

/** Keeps an account from signing in: its sessions end and its keys are revoked. Never oneself or the last administrator. */
export async function disableUser({ ctx, input }: Call<z.input<typeof changeUserInput>>): Promise<void> {
  const { id, reason } = parseInput(changeUserInput, input);
  await changeRecords(ctx, {
    action: "user.disable",
    permission: "user.manage",
    targetType: "user",
    targetId: id,
    reason,
    work: async (tx) => {
      const user = await requireUser(tx, id);
      if (accountOfActor(ctx.actor) === id) {
        throw new NereidError("CONFLICT", "nobody can disable the own account", { fix: "ask another administrator" });
      }
      await requireOtherAdmin(tx, user, "disabled");
      await tx.user.update({ where: { id }, data: { disabled: true } });
      const { count: sessions } = await tx.session.deleteMany({ where: { userId: id } });
      const revokedAt = new Date(ctx.clock.now());
      const { count: keys } = await tx.apiKey.updateMany({
        where: { ownerId: id, revokedAt: null },
        data: { revokedAt },
      });
      await revokeLinksOf(tx, id, revokedAt);
      await tx.verification.deleteMany({ where: { value: id } });
      const after = { name: user.name, disabled: true, endedSessions: sessions, revokedKeys: keys };
      return { result: undefined, before: { disabled: user.disabled }, after };
    },
  });
}

/** Makes void what an account, or one of its keys, has handed out as an administrator. */
async function revokeLinksOf(tx: Transaction, userId: string, revokedAt: Date): Promise<void> {
  const keys = await tx.apiKey.findMany({ where: { ownerId: userId }, select: { id: true } });
  const createdById = { in: [userId, ...keys.map(({ id }) => id)] };
  await tx.invitation.updateMany({ where: { createdById, usedAt: null, revokedAt: null }, data: { revokedAt } });
}

/** Lets a disabled account sign in again. Its revoked keys stay revoked. */
export async function enableUser({ ctx, input }: Call<z.input<typeof changeUserInput>>): Promise<void> {
  const { id, reason } = parseInput(changeUserInput, input);
  await changeRecords(ctx, {
    action: "user.enable",
    permission: "user.manage",
    targetType: "user",
    targetId: id,
    reason,
    work: async (tx) => {
      const user = await requireUser(tx, id);
      await tx.user.update({ where: { id }, data: { disabled: false } });
      return { result: undefined, before: { disabled: user.disabled }, after: { name: user.name, disabled: false } };
    },
  });
}
