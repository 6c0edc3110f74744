import { NereidError } from "@nereid/errors";
import { z } from "zod";
import type { Call } from "../context.ts";
import { parseInput } from "../parse-input.ts";
import { changeModel } from "./change-model.ts";
import { changeModelInput } from "./model-name.ts";

export const removeModelInput = changeModelInput.extend({
  /** The model's name once more: files are gone for good. */
  confirm: z.string().max(600),
});

/** Removes a model with all its versions from the repository. CONFLICT while a version is served. */
export async function removeModel({ ctx, input }: Call<z.input<typeof removeModelInput>>): Promise<void> {
  const { name, confirm, reason } = parseInput(removeModelInput, input);
  await changeModel(ctx, {
    action: "model.delete",
    permission: "model.delete",
    name,
    reason,
    act: async () => {
      requireConfirmation(confirm, name);
      await ctx.node.deleteModel(name);
    },
  });
}

/** Throws unless what is to be removed was named once more, exactly. */
export function requireConfirmation(confirm: string, expected: string): void {
  if (confirm === expected) return;
  throw new NereidError("INVALID_ARGUMENT", `confirm does not name what is to be removed: it must be "${expected}"`);
}
