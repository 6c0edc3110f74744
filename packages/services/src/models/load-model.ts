import type { ModelWarning } from "@nereid/client";
import type { Call } from "../context.ts";
import { parseInput } from "../parse-input.ts";
import { changeModel } from "./change-model.ts";
import { type ModelInput, modelInput } from "./model-name.ts";

/** Loads or reloads a model and waits until the node says how it went. */
export async function loadModel({ ctx, input }: Call<ModelInput>): Promise<{ warnings: readonly ModelWarning[] }> {
  const { name } = parseInput(modelInput, input);
  const warnings = await changeModel(ctx, { action: "model.load", name, act: () => ctx.node.loadModel(name) });
  return { warnings };
}
