import { appRouter, isSubscription } from "@nereid/api";
import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { createApiContext } from "../../../../server/api-context.ts";
import { getRuntime } from "../../../../server/runtime.ts";
import { isSameOrigin } from "../../../../server/same-origin.ts";
import { findSession } from "../../../../server/session.ts";

const ENDPOINT = "/api/trpc";

async function handle(request: Request): Promise<Response> {
  if (request.method === "POST" && !isSameOrigin(request.headers, getRuntime().env.publicUrl)) {
    return Response.json({ error: "this request came from another site" }, { status: 403 });
  }
  const session = await findSession(request.headers);
  // tRPC opens a stream first and then refuses in it, with 200.
  if (session.actor === null && isSubscription(new URL(request.url).pathname.slice(`${ENDPOINT}/`.length))) {
    return Response.json({ error: "sign in to do this" }, { status: 401, headers: { "cache-control": "no-store" } });
  }
  const response = await fetchRequestHandler({
    endpoint: ENDPOINT,
    req: request,
    router: appRouter,
    createContext: () => createApiContext({ headers: request.headers, url: request.url, session }),
  });
  // Pages that poll would otherwise hold their connection, and with it the old process, open for ever.
  if (getRuntime().shutdown.signal.aborted) response.headers.set("connection", "close");
  return response;
}

export { handle as GET, handle as POST };
