import type { ModelWarning } from "@nereid/client";
import type { Call, ServiceContext } from "../context.ts";
import { parseInput } from "../parse-input.ts";
import { changeModel } from "./change-model.ts";
import { type ChangeModelInput, changeModelInput } from "./model-name.ts";

/** Loads or reloads a model and waits until the node says how it went. */
export async function loadModel({
  ctx,
  input,
}: Call<ChangeModelInput>): Promise<{ warnings: readonly ModelWarning[] }> {
  const { name, reason } = parseInput(changeModelInput, input);
  const change = { action: "model.load", permission: "model.load", name, reason } as const;
  return { warnings: await changeModel(ctx, { ...change, act: () => loadKnown(ctx, name) }) };
}

/** Triton's answer to an unknown name is an internal error; the person who mistyped it deserves NOT_FOUND. */
async function loadKnown(ctx: ServiceContext, name: string): Promise<readonly ModelWarning[]> {
  await ctx.node.model(name);
  return ctx.node.loadModel(name);
}
