import type { Call } from "../context.ts";
import { parseInput } from "../parse-input.ts";
import { changeModel } from "./change-model.ts";
import { type ChangeModelInput, changeModelInput } from "./model-name.ts";

/**
 * Ends the loads of a model that are in progress or wait, whoever asked for them; what is served goes on. CONFLICT when there is none,
 * NOT_FOUND for no model.
 */
export async function cancelLoad({ ctx, input }: Call<ChangeModelInput>): Promise<{ readonly cancelled: number }> {
  const { name, reason } = parseInput(changeModelInput, input);
  return changeModel(ctx, {
    action: "model.cancel",
    permission: "model.load",
    name,
    reason,
    act: async () => {
      // The node has no load of a name that is mistyped either.
      await ctx.node.model(name);
      return ctx.node.cancelLoad(name);
    },
    outcome: ({ cancelled }) => ({ cancelled }),
  });
}
