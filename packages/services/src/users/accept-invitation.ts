import { randomUUID } from "node:crypto";
import type { Invitation, Transaction } from "@nereid/db";
import { NereidError } from "@nereid/errors";
import { z } from "zod";
import { recordAudit } from "../audit/record-audit.ts";
import { parseInput } from "../parse-input.ts";
import type { SetupContext } from "../setup/create-first-admin.ts";
import { hashToken } from "../setup/setup-token.ts";
import { writeTransaction } from "../write-transaction.ts";
import { newPassword, personName } from "./user-input.ts";

export const acceptInput = z.object({
  token: z.string().min(1, "is missing").max(200),
  password: newPassword,
  /** Another name than the invitation has. */
  name: personName.optional(),
});

export type AcceptContext = Omit<SetupContext, "via">;

export interface OpenInvitation {
  readonly kind: "invite" | "reset";
  readonly email: string;
  readonly name: string;
}

/** What a link is for; null when it is void. For the page that it leads to. */
export async function findInvitation(
  ctx: Pick<AcceptContext, "db" | "clock">,
  token: string,
): Promise<OpenInvitation | null> {
  const row = await ctx.db.invitation.findUnique({ where: { tokenHash: hashToken(token) } });
  if (row === null || !isOpen(row, ctx.clock.now())) return null;
  return { kind: row.kind === "reset" ? "reset" : "invite", email: row.email, name: row.name };
}

/** Spends a one-time link: creates the invited account, or sets the new password and ends the old sessions. */
export async function acceptInvitation(call: {
  ctx: AcceptContext;
  input: z.input<typeof acceptInput>;
}): Promise<{ email: string; kind: "invite" | "reset" }> {
  const { ctx } = call;
  const { token, password, name } = parseInput(acceptInput, call.input);
  const tokenHash = hashToken(token);
  // Looked at before the costly hash: strangers can send as many tokens as they like.
  if ((await findInvitation(ctx, token)) === null) throw spent();
  const passwordHash = await ctx.hashPassword(password);
  return writeTransaction(ctx.db, async (tx) => {
    const row = await tx.invitation.findUnique({ where: { tokenHash } });
    if (row === null || !isOpen(row, ctx.clock.now())) throw spent();
    await tx.invitation.update({ where: { id: row.id }, data: { usedAt: new Date(ctx.clock.now()) } });
    if (row.kind === "reset") await setPassword({ ctx, tx, row, passwordHash });
    else await createAccount({ ctx, tx, row, passwordHash }, name ?? row.name);
    return { email: row.email, kind: row.kind === "reset" ? "reset" : "invite" };
  });
}

interface Accepting {
  readonly ctx: AcceptContext;
  readonly tx: Transaction;
  readonly row: Invitation;
  readonly passwordHash: string;
}

async function createAccount({ ctx, tx, row, passwordHash }: Accepting, name: string): Promise<void> {
  if ((await tx.user.count({ where: { email: row.email } })) > 0) {
    throw new NereidError("CONFLICT", "there is a user with this address already", { fix: "sign in" });
  }
  const id = randomUUID();
  const now = new Date(ctx.clock.now());
  const { email, role } = row;
  await tx.user.create({ data: { id, name, email, role, emailVerified: true, createdAt: now, updatedAt: now } });
  await tx.account.create({ data: credentialOf(id, passwordHash) });
  await recordAudit({
    ctx: { ...ctx, db: tx, actor: { id, name, kind: "user" } },
    input: {
      action: "user.create",
      targetType: "user",
      targetId: id,
      outcome: "succeeded",
      after: { email, role, invitation: row.id, invitedBy: row.createdByName },
    },
  });
}

async function setPassword({ ctx, tx, row, passwordHash }: Accepting): Promise<void> {
  const user = await tx.user.findUnique({ where: { id: row.userId ?? "" } });
  if (user === null || user.disabled) throw spent();
  const where = { userId: user.id, providerId: "credential" };
  const { count } = await tx.account.updateMany({ where, data: { password: passwordHash } });
  if (count === 0) await tx.account.create({ data: credentialOf(user.id, passwordHash) });
  const sessions = await tx.session.deleteMany({ where: { userId: user.id } });
  // Half-made sign-ins with the old password, and devices that skip the second factor.
  await tx.verification.deleteMany({ where: { value: user.id } });
  await recordAudit({
    ctx: { ...ctx, db: tx, actor: { id: user.id, name: user.name, kind: "user" } },
    input: {
      action: "user.password",
      targetType: "user",
      targetId: user.id,
      outcome: "succeeded",
      after: { link: row.id, endedSessions: sessions.count },
    },
  });
}

function credentialOf(userId: string, password: string) {
  return { id: randomUUID(), accountId: userId, providerId: "credential", userId, password };
}

function isOpen(row: Pick<Invitation, "usedAt" | "revokedAt" | "expiresAt">, now: number): boolean {
  return row.usedAt === null && row.revokedAt === null && row.expiresAt.getTime() > now;
}

function spent(): NereidError {
  return new NereidError("FORBIDDEN", "this link is not valid: it was used, withdrawn or is too old", {
    fix: "ask your administrator for a new one",
  });
}
