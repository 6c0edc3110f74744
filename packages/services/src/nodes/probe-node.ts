import { NereidError } from "@nereid/errors";
import type { z } from "zod";
import { authoriseChange } from "../access/authorise-change.ts";
import type { Call } from "../context.ts";
import { parseInput } from "../parse-input.ts";
import type { NodeFacts } from "./node-facts.ts";
import { testNodeInput } from "./node-input.ts";

/** How a server answered that is, or may become, a node. */
export type NodeProbe =
  | { readonly ok: true; readonly facts: NodeFacts }
  | { readonly ok: false; readonly problem: string; readonly fix: string | null };

/** Asks a server as it would be asked as a node. A server that does not answer is an answer, not a failure. */
export async function probeNode({ ctx, input }: Call<z.input<typeof testNodeInput>>): Promise<NodeProbe> {
  const { id, kind, url, metricsUrl = null, key } = parseInput(testNodeInput, input);
  // Whoever may make the dashboard call any address must be trusted with that.
  await authoriseChange(ctx, "node.manage", { action: "node.test", targetType: "node", targetId: id ?? url });
  const row = id === undefined ? null : await ctx.db.node.findUnique({ where: { id } });
  const kept = row !== null && new URL(row.url).origin === new URL(url).origin ? row.secret : null;
  const apiKey = key === undefined && kept !== null ? ctx.nodeControl.unseal(kept) : (key ?? null);
  try {
    const spec = { id: id ?? "", name: url, kind, url, metricsUrl, grpcUrl: null, apiKey, cordoned: false };
    return { ok: true, facts: await ctx.nodeControl.probe(spec) };
  } catch (thrown) {
    const error = NereidError.from(thrown);
    return { ok: false, ...explain(error, kind) };
  }
}

function explain(error: NereidError, kind: "nereid" | "triton"): { problem: string; fix: string | null } {
  const { code, message } = error;
  if (code === "NOT_FOUND" && kind === "nereid")
    return { problem: "this server answers, but not as a Nereid server", fix: "choose the kind Triton" };
  if (code === "UNAUTHENTICATED")
    return { problem: "the server wants another management key", fix: "enter the key it was started with" };
  return { problem: message, fix: error.fix ?? null };
}
