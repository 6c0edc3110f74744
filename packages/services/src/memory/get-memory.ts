import type { MemoryFacts } from "@nereid/client";
import { authorise } from "../access/permissions.ts";
import type { Call } from "../context.ts";
import { type ModelInput, modelInput } from "../models/model-name.ts";
import { parseInput } from "../parse-input.ts";

/** What each load of a model since the node's start held, what a load is reckoned to take, and who holds what now. */
export async function getMemory({ ctx, input }: Call<ModelInput>): Promise<MemoryFacts> {
  authorise(ctx.actor, "model.read");
  return ctx.node.memory(parseInput(modelInput, input).name);
}
