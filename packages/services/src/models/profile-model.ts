import type { ModelProfile } from "@nereid/client";
import { z } from "zod";
import type { Call } from "../context.ts";
import { parseInput } from "../parse-input.ts";
import { changeModel } from "./change-model.ts";
import { changeModelInput, versionNumber } from "./model-name.ts";

const LONGEST_SECS = 60;

export const profileModelInput = changeModelInput.extend({
  seconds: z.number().positive().max(LONGEST_SECS).optional(),
  version: versionNumber.optional(),
});

/**
 * Profiles a model while it serves, and tells where its time goes. It takes the permission of a load, because one instance more is
 * loaded for that time. NOT_FOUND for no model, UNSUPPORTED where the model's engine writes no profiles.
 */
export async function profileModel({ ctx, input }: Call<z.input<typeof profileModelInput>>): Promise<ModelProfile> {
  const { name, reason, seconds, version } = parseInput(profileModelInput, input);
  return changeModel(ctx, {
    action: "model.profile",
    permission: "model.load",
    name,
    reason,
    act: () => ctx.node.profile(name, { seconds, version }),
    outcome: ({ id, version: profiled, seconds: taken, runs }) => ({ profile: id, profiled, seconds: taken, runs }),
  });
}
