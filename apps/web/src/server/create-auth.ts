import { randomUUID } from "node:crypto";
import { type Database, dialectOf } from "@nereid/db";
import { type Clock, recordAudit } from "@nereid/services";
import { betterAuth } from "better-auth";
import { prismaAdapter } from "better-auth/adapters/prisma";
import { APIError, createAuthMiddleware } from "better-auth/api";
import type { WebEnv } from "../env.ts";
import { accountOf } from "./account-of.ts";
import { isSameOrigin } from "./same-origin.ts";
import { SignInThrottle } from "./sign-in-throttle.ts";

/** Path of the sign-in below the library's own. */
export const SIGN_IN = "/sign-in/email";
const WEEK_S = 7 * 24 * 3600;
const DAY_S = 24 * 3600;

export interface AuthParts {
  readonly db: Database;
  readonly env: WebEnv;
  readonly secret: string;
  readonly clock: Clock;
}

/** Sessions and passwords. There is no public sign-up: accounts come from the first run and from administrators. */
export function createAuth({ db, env, secret, clock }: AuthParts) {
  const throttle = new SignInThrottle(clock);
  return betterAuth({
    appName: "Nereid",
    secret,
    ...(env.publicUrl === undefined ? {} : { baseURL: env.publicUrl }),
    trustedOrigins: (request) => {
      const origin = request?.headers.get("origin");
      return request !== undefined && origin && isSameOrigin(request.headers, env.publicUrl) ? [origin] : [];
    },
    database: prismaAdapter(db, { provider: dialectOf(env.databaseUrl) }),
    emailAndPassword: { enabled: true, disableSignUp: true, minPasswordLength: 12, maxPasswordLength: 128 },
    user: { additionalFields: { role: { type: "string", input: false, defaultValue: "viewer" } } },
    session: { expiresIn: WEEK_S, updateAge: DAY_S },
    rateLimit: { enabled: true, window: 60, max: 300, customRules: { [SIGN_IN]: { window: 60, max: 20 } } },
    advanced: { useSecureCookies: env.publicUrl?.startsWith("https://") ?? false, cookiePrefix: "nereid" },
    telemetry: { enabled: false },
    // Its warning about a missing base URL does not apply: origins are checked against the request above.
    logger: { level: "error" },
    hooks: {
      before: createAuthMiddleware(async (ctx) => {
        if (ctx.path !== SIGN_IN) return;
        const waitMs = throttle.waitMs(accountOf(ctx.body));
        if (waitMs > 0) {
          const seconds = Math.ceil(waitMs / 1000);
          throw new APIError("TOO_MANY_REQUESTS", { message: `Too many tries. Try again in ${seconds} s.` });
        }
      }),
      after: createAuthMiddleware(async (ctx) => {
        if (ctx.path !== SIGN_IN) return;
        const account = accountOf(ctx.body);
        const user = ctx.context.newSession?.user;
        if (user === undefined) {
          throttle.failed(account);
          return;
        }
        throttle.succeeded(account);
        const actor = { id: user.id, name: user.name };
        await recordAudit({
          ctx: { db, clock, requestId: randomUUID(), actor },
          input: { action: "session.create", targetType: "user", targetId: user.id, outcome: "succeeded" },
        });
      }),
    },
  });
}

export type Auth = ReturnType<typeof createAuth>;
