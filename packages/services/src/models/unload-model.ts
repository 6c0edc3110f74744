import { authorise } from "../access/permissions.ts";
import type { Call } from "../context.ts";
import { parseInput } from "../parse-input.ts";
import { changeModel } from "./change-model.ts";
import { type ModelInput, modelInput } from "./model-name.ts";

/** Unloads a model. The node lets requests that are running finish; new ones are refused at once. */
export async function unloadModel({ ctx, input }: Call<ModelInput>): Promise<void> {
  authorise(ctx.actor, "model.unload");
  const { name } = parseInput(modelInput, input);
  await changeModel(ctx, { action: "model.unload", name, act: () => ctx.node.unloadModel(name) });
}
