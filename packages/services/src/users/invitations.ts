import { randomUUID } from "node:crypto";
import { NereidError } from "@nereid/errors";
import { z } from "zod";
import { type Role, toRole } from "../access/actor.ts";
import { authorise } from "../access/permissions.ts";
import { changeRecords } from "../change-records.ts";
import type { Call } from "../context.ts";
import { reason } from "../instant.ts";
import { parseInput } from "../parse-input.ts";
import { generateToken, hashToken } from "../setup/setup-token.ts";
import { changeUserInput, email, personName, requireUser, role } from "./user-input.ts";

const DAY_MS = 24 * 3600 * 1000;
const INVITATION_DAYS = 7;
const RESET_DAYS = 1;

export interface OneTimeLink {
  readonly inviteId: string;
  /** Answered here only; the database keeps its digest. */
  readonly token: string;
  readonly expiresAt: Date;
  /** Path of this dashboard for the person to open. No e-mail is sent. */
  readonly path: string;
}

export const inviteInput = z.object({ email, name: personName, role, reason });

/** Makes a link with which a new person chooses a password. An earlier invitation of the same address is void then. */
export async function inviteUser({ ctx, input }: Call<z.input<typeof inviteInput>>): Promise<OneTimeLink> {
  const { email, name, role, reason } = parseInput(inviteInput, input);
  const link = newLink(ctx.clock.now(), INVITATION_DAYS);
  return changeRecords(ctx, {
    action: "user.invite",
    permission: "user.manage",
    targetType: "invitation",
    targetId: link.inviteId,
    reason,
    work: async (tx) => {
      if ((await tx.user.count({ where: { email } })) > 0) {
        throw new NereidError("CONFLICT", `there is a user with the address ${email} already`);
      }
      const now = new Date(ctx.clock.now());
      await tx.invitation.updateMany({
        where: { kind: "invite", email, usedAt: null, revokedAt: null },
        data: { revokedAt: now },
      });
      await tx.invitation.create({
        data: {
          ...storedLink(link, now),
          kind: "invite",
          email,
          name,
          role,
          createdById: ctx.actor.id,
          createdByName: ctx.actor.name,
        },
      });
      return { result: link, after: { email, name, role, expiresAt: link.expiresAt } };
    },
  });
}

export const resetPasswordInput = changeUserInput.extend({
  /** For somebody who has lost the second factor and its backup codes. */
  removeTwoFactor: z.boolean().default(false),
});

/** Makes a link with which the person chooses a new password, once. The old one works until then. */
export async function resetPassword({ ctx, input }: Call<z.input<typeof resetPasswordInput>>): Promise<OneTimeLink> {
  const { id, removeTwoFactor, reason } = parseInput(resetPasswordInput, input);
  const link = newLink(ctx.clock.now(), RESET_DAYS);
  return changeRecords(ctx, {
    action: "user.reset",
    permission: "user.manage",
    targetType: "user",
    targetId: id,
    reason,
    work: async (tx) => {
      const user = await requireUser(tx, id);
      const now = new Date(ctx.clock.now());
      await tx.invitation.updateMany({
        where: { kind: "reset", userId: id, usedAt: null, revokedAt: null },
        data: { revokedAt: now },
      });
      const { name, email, role } = user;
      await tx.invitation.create({
        data: {
          ...storedLink(link, now),
          kind: "reset",
          email,
          name,
          role,
          userId: id,
          createdById: ctx.actor.id,
          createdByName: ctx.actor.name,
        },
      });
      if (removeTwoFactor) {
        await tx.twoFactor.deleteMany({ where: { userId: id } });
        await tx.user.update({ where: { id }, data: { twoFactorEnabled: false } });
      }
      return { result: link, after: { name, removeTwoFactor, expiresAt: link.expiresAt } };
    },
  });
}

export interface InvitationRow {
  readonly id: string;
  readonly kind: "invite" | "reset";
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly createdAt: Date;
  readonly createdByName: string;
  readonly expiresAt: Date;
}

/** The links that can still be used, newest first. */
export async function listInvitations({ ctx }: Pick<Call, "ctx">): Promise<InvitationRow[]> {
  authorise(ctx.actor, "user.manage");
  const rows = await ctx.db.invitation.findMany({
    where: { usedAt: null, revokedAt: null, expiresAt: { gt: new Date(ctx.clock.now()) } },
    orderBy: [{ createdAt: "desc" }, { id: "asc" }],
  });
  return rows.map(({ id, kind, email, name, role, createdAt, createdByName, expiresAt }) => ({
    id,
    kind: kind === "reset" ? "reset" : "invite",
    email,
    name,
    role: toRole(role),
    createdAt,
    createdByName,
    expiresAt,
  }));
}

/** Makes a link void. */
export async function revokeInvitation({ ctx, input }: Call<z.input<typeof changeUserInput>>): Promise<void> {
  const { id, reason } = parseInput(changeUserInput, input);
  await changeRecords(ctx, {
    action: "user.uninvite",
    permission: "user.manage",
    targetType: "invitation",
    targetId: id,
    reason,
    work: async (tx) => {
      const open = { id, usedAt: null, revokedAt: null };
      const invitation = await tx.invitation.findFirst({ where: open });
      if (invitation === null) throw new NereidError("NOT_FOUND", "there is no such open invitation");
      await tx.invitation.update({ where: { id }, data: { revokedAt: new Date(ctx.clock.now()) } });
      return { result: undefined, after: { email: invitation.email, kind: invitation.kind } };
    },
  });
}

function newLink(now: number, days: number): OneTimeLink {
  const token = generateToken();
  const expiresAt = new Date(now + days * DAY_MS);
  return { inviteId: randomUUID(), token, expiresAt, path: `/accept?token=${token}` };
}

function storedLink({ inviteId, token, expiresAt }: OneTimeLink, createdAt: Date) {
  return { id: inviteId, tokenHash: hashToken(token), createdAt, expiresAt };
}
