import type { ShadowStatus } from "@nereid/client";
import type { z } from "zod";
import type { Call } from "../context.ts";
import { changeModel } from "../models/change-model.ts";
import { parseInput } from "../parse-input.ts";
import { shadowText, startShadowInput, stopShadowInput } from "./shadow-input.ts";

/**
 * Mirrors requests of a model from now on; what was counted before begins anew. NOT_FOUND for a target that is not served, UNSUPPORTED
 * for models with sequences or several answers.
 */
export async function startShadow({
  ctx,
  input,
}: Call<z.input<typeof startShadowInput>>): Promise<{ readonly shadow: ShadowStatus }> {
  const { name, target, percent, requests, absolute, relative, keepWorst, reason } = parseInput(
    startShadowInput,
    input,
  );
  return changeModel(ctx, {
    action: "shadow.start",
    permission: "rollout.manage",
    name,
    reason,
    view: () => ({}),
    asked: { shadow: shadowText({ target, percent }) },
    act: async () => ({
      shadow: await ctx.node.startShadow(name, {
        target,
        percent,
        ...(requests !== undefined && { requests }),
        ...(absolute !== undefined && { absolute }),
        ...(relative !== undefined && { relative }),
        ...(keepWorst !== undefined && { keepWorst }),
      }),
    }),
  });
}

/** Ends the shadow of a model; the trail keeps what it came to. Harmless where there is none. */
export async function stopShadow({
  ctx,
  input,
}: Call<z.input<typeof stopShadowInput>>): Promise<{ readonly stopped: boolean }> {
  const { name, reason } = parseInput(stopShadowInput, input);
  return changeModel(ctx, {
    action: "shadow.stop",
    permission: "rollout.manage",
    name,
    reason,
    view: () => ({}),
    outcome: ({ was }) => ({ shadow: "none", ...(was !== null && { was: outcomeText(was) }) }),
    act: async () => {
      const was = await ctx.node.shadow(name);
      await ctx.node.stopShadow(name);
      return { stopped: was !== null, was };
    },
  }).then(({ stopped }) => ({ stopped }));
}

/** What a shadow came to, for the trail. Pure. */
function outcomeText(shadow: ShadowStatus): string {
  return `${shadowText(shadow)}: ${shadow.agreed} of ${shadow.compared} agreed, ${shadow.failed} failed`;
}
