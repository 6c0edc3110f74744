import { openArchive } from "@nereid/services";
import { restRoute } from "../../../../../../../../server/rest-route.ts";

export const dynamic = "force-dynamic";
export const runtime = "nodejs";

interface Params {
  readonly params: Promise<{ readonly model: string; readonly version: string }>;
}

function get(request: Request, { params }: Params): Promise<Response> {
  return restRoute(request, async ({ ctx }) => {
    const { model, version } = await params;
    const input = { name: model, version };
    const stream = await openArchive({ ctx, input, signal: request.signal });
    const file = `${model}-${version}.tar`.replace(/[^A-Za-z0-9._-]/g, "_");
    return new Response(stream, {
      headers: {
        "content-type": "application/x-tar",
        "content-disposition": `attachment; filename="${file}"`,
        "cache-control": "no-store",
      },
    });
  });
}

export { get as GET };
