import { randomUUID } from "node:crypto";
import type { Database } from "@nereid/db";
import { type AuditEntry, type Clock, recordAudit } from "@nereid/services";
import { accountOf } from "./account-of.ts";
import { SECOND_STEPS, SIGN_IN } from "./auth-audit-plugin.ts";
import type { Auth } from "./create-auth.ts";
import { logError } from "./log.ts";

export interface SignInParts {
  readonly auth: Pick<Auth, "handler">;
  readonly db: Database;
  readonly clock: Clock;
}

const LONGEST_ADDRESS = 64;

/** What of a refused sign-in belongs into the audit trail; undefined for one that went well. */
export function refusedSignIn(request: Headers, account: string, response: Response): AuditEntry | undefined {
  if (response.ok) return undefined;
  const address = request.get("x-forwarded-for")?.split(",")[0]?.trim().slice(0, LONGEST_ADDRESS) ?? "unknown";
  const target = { action: "session.create", targetType: "user", targetId: account, outcome: "failed" } as const;
  const refused = { ...target, after: { error: "the sign-in was refused", address } };
  if (response.status === 401) return refused;
  // Not a try at a password, and free to repeat: a body that is no sign-in, or another site's page.
  if (response.status !== 429) return { ...refused, oncePerMinute: "malformed" };
  // The library's limit is by address and says so with this header, ours by account; whoever is slowed down is the key.
  const key = response.headers.has("x-retry-after") ? `address/${address}` : `account/${account}`;
  return { ...target, after: { error: "too many tries", address }, oncePerMinute: `throttled/${key}` };
}

/** The auth library's handler, with a row in the audit trail for each sign-in that it refuses. */
export async function auditedAuth({ auth, db, clock }: SignInParts, request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  const secondStep = SECOND_STEPS.some((path) => pathname.endsWith(path));
  if (request.method !== "POST" || !(secondStep || pathname.endsWith(SIGN_IN))) return auth.handler(request);
  const copy = request.clone();
  const response = await auth.handler(request);
  if (response.ok) return response;
  // The second step names nobody but by its cookie.
  const body: unknown = secondStep ? undefined : await copy.json().catch(() => undefined);
  const account = accountOf(body) || "unknown";
  const input = refusedSignIn(request.headers, account, response);
  if (input !== undefined) {
    const ctx = { db, clock, requestId: randomUUID(), actor: { id: null, name: account } };
    await recordAudit({ ctx, input }).catch((error: unknown) => logError("audit of a refused sign-in", error));
  }
  return response;
}
