import type { ConfigCheck } from "@nereid/client";
import type { z } from "zod";
import { authorise } from "../access/permissions.ts";
import type { Call } from "../context.ts";
import { modelInput } from "../models/model-name.ts";
import { parseInput } from "../parse-input.ts";
import { configText } from "./config-text.ts";

export const checkConfigInput = modelInput.extend({ text: configText });

/** What the node thinks of a configuration text. Changes nothing. */
export async function checkConfig({ ctx, input }: Call<z.input<typeof checkConfigInput>>): Promise<ConfigCheck> {
  authorise(ctx.actor, "model.read");
  const { name, text } = parseInput(checkConfigInput, input);
  return ctx.node.checkConfig(name, text);
}
