import { appRouter } from "@nereid/api";
import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { createApiContext } from "../../../../server/api-context.ts";
import { getRuntime } from "../../../../server/runtime.ts";
import { isSameOrigin } from "../../../../server/same-origin.ts";
import { findActor } from "../../../../server/session.ts";

async function handle(request: Request): Promise<Response> {
  if (request.method === "POST" && !isSameOrigin(request.headers, getRuntime().env.publicUrl)) {
    return Response.json({ error: "this request came from another site" }, { status: 403 });
  }
  const actor = await findActor(request.headers);
  const response = await fetchRequestHandler({
    endpoint: "/api/trpc",
    req: request,
    router: appRouter,
    createContext: () => createApiContext({ headers: request.headers, actor }),
  });
  // Pages that poll would otherwise hold their connection, and with it the old process, open for ever.
  if (getRuntime().shutdown.signal.aborted) response.headers.set("connection", "close");
  return response;
}

export { handle as GET, handle as POST };
