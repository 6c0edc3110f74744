import { exportAudit, exportAuditInput } from "@nereid/services";
import { restRoute } from "../../../../../server/rest-route.ts";
import { textStream } from "../../../../../server/text-stream.ts";

export const dynamic = "force-dynamic";
export const runtime = "nodejs";

const TYPES = { csv: "text/csv; charset=utf-8", jsonl: "application/jsonl; charset=utf-8" };

function get(request: Request): Promise<Response> {
  return restRoute(request, async ({ ctx }) => {
    const input = Object.fromEntries(new URL(request.url).searchParams);
    const format = exportAuditInput.shape.format.catch("jsonl").parse(input["format"]);
    // The schema judges what the address says; its type is wider.
    const pieces = exportAudit({ ctx, input: input as Parameters<typeof exportAudit>[0]["input"] });
    const body = await textStream(pieces);
    const day = new Date(ctx.clock.now()).toISOString().slice(0, 10);
    return new Response(body, {
      headers: {
        "content-type": TYPES[format],
        "content-disposition": `attachment; filename="nereid-audit-${day}.${format}"`,
        "cache-control": "no-store",
      },
    });
  });
}

export { get as GET };
