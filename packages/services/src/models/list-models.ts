import type { ModelStatus } from "@nereid/client";
import { authorise } from "../access/permissions.ts";
import type { Call } from "../context.ts";

/** Every model of every repository of the node, by name. */
export async function listModels({ ctx }: Pick<Call, "ctx">): Promise<ModelStatus[]> {
  authorise(ctx.actor, "model.read");
  const models = await ctx.node.models();
  return models.toSorted((a, b) => a.name.localeCompare(b.name, "en"));
}
