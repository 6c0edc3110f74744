import { randomUUID } from "node:crypto";
import { isUniqueViolation } from "@nereid/db";
import { NereidError } from "@nereid/errors";
import { z } from "zod";
import { recordAudit } from "../audit/record-audit.ts";
import type { BaseContext } from "../context.ts";
import { parseInput } from "../parse-input.ts";
import { writeTransaction } from "../write-transaction.ts";
import { FIRST_ADMIN_KEY, SETUP_TOKEN_KEY } from "./setup-keys.ts";

export const firstAdminInput = z.object({
  name: z.string().trim().min(1, "must not be empty").max(100),
  email: z.email().max(254).toLowerCase(),
  password: z.string().min(12, "must have at least 12 characters").max(128),
});

export interface SetupContext extends BaseContext {
  /** How the sign-in later checks passwords. */
  readonly hashPassword: (password: string) => Promise<string>;
  /** Who vouches for the first administrator, for the audit trail. */
  readonly via: "setup token" | "environment";
}

/**
 * Creates the first administrator. Throws CONFLICT when there already is a user; of several that race exactly one
 * succeeds.
 */
export async function createFirstAdmin(call: {
  ctx: SetupContext;
  input: z.input<typeof firstAdminInput>;
}): Promise<{ id: string }> {
  const { ctx } = call;
  const { name, email, password } = parseInput(firstAdminInput, call.input);
  const hash = await ctx.hashPassword(password);
  const id = randomUUID();
  const now = new Date(ctx.clock.now());
  const taken = () => new NereidError("CONFLICT", "the first administrator exists already", { fix: "sign in" });
  try {
    await writeTransaction(ctx.db, async (tx) => {
      await tx.setting.create({ data: { key: FIRST_ADMIN_KEY, value: id } });
      if ((await tx.user.count()) > 0) throw taken();
      await tx.user.create({
        data: { id, name, email, role: "admin", emailVerified: true, createdAt: now, updatedAt: now },
      });
      await tx.account.create({
        data: { id: randomUUID(), accountId: id, providerId: "credential", userId: id, password: hash },
      });
      await tx.setting.deleteMany({ where: { key: SETUP_TOKEN_KEY } });
      await recordAudit({
        ctx: { ...ctx, db: tx, actor: { id: null, name: ctx.via } },
        input: {
          action: "user.create",
          targetType: "user",
          targetId: id,
          outcome: "succeeded",
          after: { email, role: "admin" },
        },
      });
    });
  } catch (error) {
    if (isUniqueViolation(error)) throw taken();
    throw error;
  }
  return { id };
}
