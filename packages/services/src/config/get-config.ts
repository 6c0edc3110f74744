import type { ModelConfigState } from "@nereid/client";
import { authorise } from "../access/permissions.ts";
import type { Call } from "../context.ts";
import { type ModelInput, modelInput } from "../models/model-name.ts";
import { modelKey } from "../nodes/model-key.ts";
import { parseInput } from "../parse-input.ts";
import { noteConfigOnDisk } from "./config-history.ts";

export interface ConfigWithHistory extends ModelConfigState {
  /** The entry of the history that holds this text; null for a model that never had a configuration file. */
  readonly historyId: string | null;
}

/** The configuration file of a model as it is now, with the graph's signature and the form that is served. */
export async function getConfig({ ctx, input }: Call<ModelInput>): Promise<ConfigWithHistory> {
  authorise(ctx.actor, "model.read");
  const { name } = parseInput(modelInput, input);
  const state = await ctx.node.modelConfigState(name);
  return { ...state, historyId: await noteConfigOnDisk(ctx, modelKey(ctx, name), state) };
}
