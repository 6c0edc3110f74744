import type { VersionShapes } from "@nereid/client";
import { authorise } from "../access/permissions.ts";
import type { Call } from "../context.ts";
import { type ModelInput, modelInput } from "../models/model-name.ts";
import { parseInput } from "../parse-input.ts";

/** Which input shapes the requests of each served version had since its load. NOT_FOUND for no model. */
export async function getShapes({
  ctx,
  input,
}: Call<ModelInput>): Promise<{ readonly versions: readonly VersionShapes[] }> {
  authorise(ctx.actor, "model.read");
  return { versions: await ctx.node.shapes(parseInput(modelInput, input).name) };
}
