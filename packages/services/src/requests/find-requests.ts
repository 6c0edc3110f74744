import type { FlightRecord } from "@nereid/client";
import { z } from "zod";
import { authorise } from "../access/permissions.ts";
import type { Call } from "../context.ts";
import { modelName } from "../models/model-name.ts";
import { parseInput } from "../parse-input.ts";

export const findRequestsInput = z.object({
  /** The client's own id. */
  id: z.string().min(1).max(1000).optional(),
  model: modelName.optional(),
  /** Why it is remembered. */
  cause: z.enum(["sampled", "slow", "failed"]).optional(),
  limit: z.int().min(1).max(500).default(50),
});

/** What happened to requests that the node remembers, newest first: queue, batch, phases, steps. Their tensors are not kept. */
export async function findRequests({
  ctx,
  input,
}: Call<z.input<typeof findRequestsInput>>): Promise<{ readonly records: readonly FlightRecord[] }> {
  authorise(ctx.actor, "model.read");
  return { records: await ctx.node.requests(parseInput(findRequestsInput, input)) };
}
