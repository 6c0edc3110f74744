import { describePage, handleRest, openApiDocument, PAGE_POLICY } from "@nereid/api";
import { restContext } from "../../../../server/rest-context.ts";
import { restRoute } from "../../../../server/rest-route.ts";
import { findActor } from "../../../../server/session.ts";

export const dynamic = "force-dynamic";
export const runtime = "nodejs";

const BASE = "/api/v1";

function handle(request: Request): Promise<Response> {
  // From the address and not from Next's parameters, which are decoded: a model's name may have a slash in disguise.
  const path = new URL(request.url).pathname.slice(BASE.length);
  return handleRest({ request, path, context: restContext });
}

async function get(request: Request): Promise<Response> {
  const { pathname, origin } = new URL(request.url);
  const path = pathname.slice(BASE.length);
  if (path === "/openapi.json") {
    return restRoute(request, async () =>
      Response.json(openApiDocument(), { headers: { "cache-control": "no-store" } }),
    );
  }
  const wantsPage = request.headers.get("accept")?.includes("text/html") ?? false;
  if (path !== "" || !wantsPage) return handle(request);
  if ((await findActor(request.headers)) === null) {
    return new Response(null, { status: 303, headers: { location: `/sign-in?next=${encodeURIComponent(BASE)}` } });
  }
  const headers = {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": PAGE_POLICY,
    "cache-control": "no-store",
  };
  return new Response(describePage(origin), { headers });
}

export { get as GET, handle as DELETE, handle as PATCH, handle as POST, handle as PUT };
