import type { TraceEvent } from "@nereid/client";
import { z } from "zod";
import { authorise } from "../access/permissions.ts";
import type { Call } from "../context.ts";
import { parseInput } from "../parse-input.ts";
import { modelInput } from "./model-name.ts";

export const profileTraceInput = modelInput.extend({ id: z.uuid() });

/** Every event of a profile, in Chrome's trace format. NOT_FOUND when the server no longer keeps it. */
export async function profileTrace({
  ctx,
  input,
}: Call<z.input<typeof profileTraceInput>>): Promise<readonly TraceEvent[]> {
  authorise(ctx.actor, "model.read");
  const { name, id } = parseInput(profileTraceInput, input);
  return ctx.node.profileTrace(name, id);
}
