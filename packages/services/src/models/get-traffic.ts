import type { TrafficStatus } from "@nereid/client";
import { authorise } from "../access/permissions.ts";
import type { Call } from "../context.ts";
import { parseInput } from "../parse-input.ts";
import { type ModelInput, modelInput } from "./model-name.ts";

/** How the requests to a model that name no version are divided; null = they go to the highest READY one. NOT_FOUND for no model. */
export async function getTraffic({
  ctx,
  input,
}: Call<ModelInput>): Promise<{ readonly traffic: TrafficStatus | null }> {
  authorise(ctx.actor, "model.read");
  const { name } = parseInput(modelInput, input);
  // The route of the traffic alone answers null for names that nothing has.
  const { traffic = null } = await ctx.node.model(name);
  return { traffic };
}
