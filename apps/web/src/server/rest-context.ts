import { randomUUID } from "node:crypto";
import type { ApiContext } from "@nereid/api";
import { NereidError } from "@nereid/errors";
import { authenticateKey, systemClock } from "@nereid/services";
import { createApiContext } from "./api-context.ts";
import { getRuntime } from "./runtime.ts";
import { isSameOrigin } from "./same-origin.ts";
import { findSession } from "./session.ts";

/**
 * Who sends a request to /api/v1: the key in its Authorization header or the session in its cookie. Throws UNAUTHENTICATED for a key
 * that is not good, and FORBIDDEN for a change that another site's page asks for with the cookie.
 */
export async function restContext(request: Request): Promise<ApiContext> {
  const { headers, url } = request;
  const authorization = headers.get("authorization");
  if (authorization !== null) {
    const secret = /^Bearer +(\S+) *$/i.exec(authorization)?.[1] ?? "";
    const ctx = { db: getRuntime().db, clock: systemClock, requestId: randomUUID() };
    return createApiContext({ headers, url, session: { actor: await authenticateKey(ctx, secret), sessionId: null } });
  }
  if (request.method !== "GET" && request.method !== "HEAD" && !isSameOrigin(headers, getRuntime().env.publicUrl)) {
    throw new NereidError("FORBIDDEN", "this request came from another site", {
      fix: "send an API key instead of the session's cookie",
    });
  }
  return createApiContext({ headers, url, session: await findSession(headers) });
}
