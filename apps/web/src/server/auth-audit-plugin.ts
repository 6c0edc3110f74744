import { randomUUID } from "node:crypto";
import type { Database } from "@nereid/db";
import { type Clock, recordAudit } from "@nereid/services";
import type { BetterAuthPlugin } from "better-auth";
import { createAuthMiddleware } from "better-auth/api";
import { accountOf } from "./account-of.ts";
import type { SignInThrottle } from "./sign-in-throttle.ts";

/** Paths below the library's own. */
export const SIGN_IN = "/sign-in/email";
/** The second step of a sign-in; with a session, the last step of setting up the second factor. */
export const SECOND_STEPS: readonly string[] = ["/two-factor/verify-totp", "/two-factor/verify-backup-code"];

const WATCHED = [
  SIGN_IN,
  ...SECOND_STEPS,
  "/two-factor/disable",
  "/two-factor/generate-backup-codes",
  "/change-password",
];

export interface AuditPluginParts {
  readonly db: Database;
  readonly clock: Clock;
  readonly throttle: SignInThrottle;
}

/** Leaves an audit row for every sign-in that is complete and for every change of how somebody signs in. */
export function auditPlugin({ db, clock, throttle }: AuditPluginParts): BetterAuthPlugin {
  const record = async (user: { readonly id: string; readonly name: string }, action: string, after?: unknown) => {
    const actor = { id: user.id, name: user.name, kind: "user" } as const;
    await recordAudit({
      ctx: { db, clock, requestId: randomUUID(), actor },
      input: { action, targetType: "user", targetId: user.id, outcome: "succeeded", after },
    });
  };
  const handler = createAuthMiddleware(async (ctx) => {
    const failed = ctx.context.returned instanceof Error;
    const fresh = ctx.context.newSession?.user;
    const present = ctx.context.session?.user;
    if (ctx.path === SIGN_IN) {
      const account = accountOf(ctx.body);
      if (failed) throttle.failed(account);
      // Neither failed nor a session: the second step is still to come.
      if (failed || !fresh) return;
      throttle.succeeded(account);
      await record(fresh, "session.create");
      return;
    }
    if (failed) return;
    if (SECOND_STEPS.includes(ctx.path ?? "")) {
      if (!fresh) return;
      throttle.succeeded(accountOf(fresh));
      if (present) await record(fresh, "user.two-factor", { twoFactor: true });
      else
        await record(fresh, "session.create", { secondFactor: ctx.path?.includes("backup") ? "backup code" : "code" });
      return;
    }
    const user = present ?? fresh;
    if (!user) return;
    // Half-made sign-ins, and devices that skip the second factor, end with what they were made under.
    if (ctx.path !== "/two-factor/generate-backup-codes")
      await db.verification.deleteMany({ where: { value: user.id } });
    if (ctx.path === "/change-password") await record(user, "user.password");
    else if (ctx.path === "/two-factor/disable") await record(user, "user.two-factor", { twoFactor: false });
    else await record(user, "user.two-factor", { backup: "new codes" });
  });
  return {
    id: "nereid-audit",
    hooks: { after: [{ matcher: (ctx) => WATCHED.includes(ctx.path ?? ""), handler }] },
  };
}
