import { NereidError } from "@nereid/errors";
import { authorise, findNode } from "@nereid/services";
import { specOf } from "../../../../../server/node-set.ts";
import { passUpload } from "../../../../../server/pass-upload.ts";
import { restRoute } from "../../../../../server/rest-route.ts";

export const dynamic = "force-dynamic";
export const runtime = "nodejs";

function handle(request: Request): Promise<Response> {
  return restRoute(request, async ({ ctx }) => {
    authorise(ctx.actor, "model.deploy");
    const node = findNode(ctx.nodes, ctx.nodeId);
    const why = node.capabilities.deploy;
    if (why !== null) throw new NereidError("UNSUPPORTED", `not available on this node: ${why}`);
    return passUpload(request, { serverUrl: node.url, serverKey: specOf(node.id)?.apiKey ?? undefined });
  });
}

export { handle as DELETE, handle as HEAD, handle as PATCH, handle as POST };
