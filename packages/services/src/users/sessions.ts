import { NereidError } from "@nereid/errors";
import { z } from "zod";
import { recordRefusal } from "../access/authorise-change.ts";
import { authorise } from "../access/permissions.ts";
import { changeRecords } from "../change-records.ts";
import type { Call, ServiceContext } from "../context.ts";
import { parseInput } from "../parse-input.ts";
import { changeUserInput, userInput } from "./user-input.ts";

export interface SessionRow {
  readonly id: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly ipAddress: string | null;
  readonly userAgent: string | null;
  /** The one that asks. */
  readonly current: boolean;
}

/** The sessions of an account that have not ended, newest first. For administrators and the person itself. */
export async function listSessions({ ctx, input }: Call<z.input<typeof userInput>>): Promise<SessionRow[]> {
  const { id } = parseInput(userInput, input);
  authoriseOwn(ctx, id);
  const rows = await ctx.db.session.findMany({
    where: { userId: id, expiresAt: { gt: new Date(ctx.clock.now()) } },
    orderBy: { createdAt: "desc" },
    select: { id: true, createdAt: true, expiresAt: true, ipAddress: true, userAgent: true },
  });
  return rows.map((row) => ({ ...row, current: row.id === ctx.sessionId }));
}

export const revokeSessionInput = changeUserInput.extend({ sessionId: z.string().min(1).max(100) });

/** Ends a session. For administrators and the person itself. */
export async function revokeSession({ ctx, input }: Call<z.input<typeof revokeSessionInput>>): Promise<void> {
  const { id, sessionId, reason } = parseInput(revokeSessionInput, input);
  const target = { action: "session.revoke", targetType: "user", targetId: id } as const;
  try {
    authoriseOwn(ctx, id);
  } catch (thrown) {
    throw await recordRefusal(ctx, target, thrown);
  }
  await changeRecords(ctx, {
    ...target,
    permission: null,
    reason,
    work: async (tx) => {
      const { count } = await tx.session.deleteMany({ where: { id: sessionId, userId: id } });
      if (count === 0) throw new NereidError("NOT_FOUND", "this user has no such session; it may have ended already");
      return { result: undefined, after: { session: sessionId } };
    },
  });
}

/** A person may look after the own sessions; a key may not, whoever owns it. */
function authoriseOwn(ctx: ServiceContext, userId: string): void {
  if (ctx.actor.kind === "user" && ctx.actor.id === userId) return;
  authorise(ctx.actor, "user.manage");
}
