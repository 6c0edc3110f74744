import { authorise } from "@nereid/services";
import { passUpload } from "../../../../../server/pass-upload.ts";
import { restRoute } from "../../../../../server/rest-route.ts";
import { getRuntime } from "../../../../../server/runtime.ts";

export const dynamic = "force-dynamic";
export const runtime = "nodejs";

function handle(request: Request): Promise<Response> {
  return restRoute(request, async ({ ctx }) => {
    authorise(ctx.actor, "model.deploy");
    const { serverUrl, serverKey } = getRuntime().env;
    return passUpload(request, { serverUrl, serverKey });
  });
}

export { handle as DELETE, handle as HEAD, handle as PATCH, handle as POST };
