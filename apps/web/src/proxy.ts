import { getSessionCookie } from "better-auth/cookies";
import { type NextRequest, NextResponse } from "next/server";
import { isDevelopment } from "./env.ts";
import { contentSecurityPolicy } from "./server/content-security-policy.ts";

const NODE_HEADER = "x-nereid-node";

const OPEN = new Set(["/sign-in", "/setup", "/accept"]);

/**
 * Page requests only: a nonce for the content security policy, and a short way to the sign-in for those without a cookie.
 * The cookie is merely looked for; every page and procedure checks the session itself.
 */
export function proxy(request: NextRequest): NextResponse {
  const { pathname, search } = request.nextUrl;
  if (!OPEN.has(pathname) && getSessionCookie(request, { cookiePrefix: "nereid" }) === null) {
    const url = new URL("/sign-in", request.url);
    if (pathname !== "/") url.searchParams.set("next", `${pathname}${search}`);
    return NextResponse.redirect(url);
  }
  const nonce = crypto.randomUUID().replaceAll("-", "");
  const policy = contentSecurityPolicy(nonce, { development: isDevelopment });
  const headers = new Headers(request.headers);
  headers.set("x-nonce", nonce);
  // A page knows its address only in the browser; what it is first filled with depends on the node.
  headers.set(NODE_HEADER, request.nextUrl.searchParams.get("node") ?? "");
  headers.set("content-security-policy", policy);
  const response = NextResponse.next({ request: { headers } });
  response.headers.set("content-security-policy", policy);
  return response;
}

export const config = {
  matcher: ["/((?!api/|_next/|icon.svg|favicon.ico).*)"],
};
