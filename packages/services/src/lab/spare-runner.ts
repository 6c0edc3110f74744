import { NereidError } from "@nereid/errors";
import type { ServiceContext } from "../context.ts";

/** What is tried is tried on a copy of a served model, on the same server. UNSUPPORTED where the server makes none; CONFLICT where nothing is served. */
export async function checkSpareRunner(
  ctx: Pick<ServiceContext, "nodes" | "nodeId" | "node">,
  { model, version }: { readonly model: string; readonly version: string | null },
): Promise<void> {
  const node = ctx.nodes.find(({ id }) => id === ctx.nodeId);
  if (node?.kind === "triton") {
    throw new NereidError("UNSUPPORTED", `${node.name} is a Triton server: it tries nothing beside what it serves`, {
      fix: "use `nereid analyze` with --model-repository, which loads variants of its own there",
    });
  }
  const { versions } = await ctx.node.model(model);
  const serves = versions.some((one) => one.ready && (version === null || one.version === version));
  if (serves) return;
  const what = version === null ? `no version of ${model} is served` : `version ${version} of ${model} is not served`;
  throw new NereidError("CONFLICT", what, {
    fix: "load it first",
  });
}
