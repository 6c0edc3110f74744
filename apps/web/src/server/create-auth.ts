import { type Database, dialectOf } from "@nereid/db";
import type { Clock } from "@nereid/services";
import { betterAuth } from "better-auth";
import { prismaAdapter } from "better-auth/adapters/prisma";
import { APIError, createAuthMiddleware } from "better-auth/api";
import { twoFactor } from "better-auth/plugins/two-factor";
import type { WebEnv } from "../env.ts";
import { accountOf } from "./account-of.ts";
import { auditPlugin, SIGN_IN } from "./auth-audit-plugin.ts";
import { isSameOrigin } from "./same-origin.ts";
import { SignInThrottle } from "./sign-in-throttle.ts";

const WEEK_S = 7 * 24 * 3600;
const DAY_S = 24 * 3600;

export interface AuthParts {
  readonly db: Database;
  readonly env: WebEnv;
  readonly secret: string;
  readonly clock: Clock;
}

/** Sessions, passwords and second factors. There is no public sign-up: accounts come from the first run and from administrators. */
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
    user: {
      additionalFields: {
        role: { type: "string", input: false, defaultValue: "viewer" },
        disabled: { type: "boolean", input: false, defaultValue: false },
      },
    },
    session: { expiresIn: WEEK_S, updateAge: DAY_S },
    rateLimit: { enabled: true, window: 60, max: 300, customRules: { [SIGN_IN]: { window: 60, max: 20 } } },
    advanced: { useSecureCookies: env.publicUrl?.startsWith("https://") ?? false, cookiePrefix: "nereid" },
    // A name stands in every row of the audit trail; nobody gives it to themselves.
    disabledPaths: ["/update-user"],
    telemetry: { enabled: false },
    // Its warning about a missing base URL does not apply: origins are checked against the request above.
    logger: { level: "error" },
    databaseHooks: {
      session: {
        create: {
          before: async ({ userId }) => {
            const user = await db.user.findUnique({ where: { id: userId }, select: { disabled: true } });
            if (user?.disabled !== true) return;
            throw new APIError("FORBIDDEN", { message: "This account is disabled. Ask your administrator." });
          },
        },
      },
    },
    hooks: {
      before: createAuthMiddleware(async (ctx) => {
        if (ctx.path !== SIGN_IN) return;
        const waitMs = throttle.waitMs(accountOf(ctx.body));
        if (waitMs > 0) {
          const seconds = Math.ceil(waitMs / 1000);
          throw new APIError("TOO_MANY_REQUESTS", { message: `Too many tries. Try again in ${seconds} s.` });
        }
      }),
    },
    // The audit comes after the second factor, which takes back the session that a password alone has made.
    plugins: [twoFactor({ issuer: "Nereid" }), auditPlugin({ db, clock, throttle })],
  });
}

export type Auth = ReturnType<typeof createAuth>;
