import type { FlightRecord } from "@nereid/client";
import { z } from "zod";
import { authorise } from "../access/permissions.ts";
import type { Call } from "../context.ts";
import { LAST_SECOND } from "../instant.ts";
import { modelName, versionNumber } from "../models/model-name.ts";
import { endsAfterItBegins } from "../ordered-range.ts";
import { parseInput } from "../parse-input.ts";

const MOST_MS = 1e12;

export const findRequestsInput = z
  .object({
    /** The client's own id. */
    id: z.string().min(1).max(1000).optional(),
    model: modelName.optional(),
    version: versionNumber.optional(),
    /** Why it is remembered. */
    cause: z.enum(["sampled", "slow", "failed"]).optional(),
    /** When it ended, Unix seconds; `to` is exclusive. */
    from: z.number().min(0).max(LAST_SECOND).optional(),
    to: z.number().min(0).max(LAST_SECOND).optional(),
    /** Milliseconds it took at least, and less than. */
    slowerMs: z.number().min(0).max(MOST_MS).optional(),
    fasterMs: z.number().min(0).max(MOST_MS).optional(),
    order: z.enum(["newest", "slowest"]).optional(),
    limit: z.int().min(1).max(500).default(50),
  })
  .superRefine(endsAfterItBegins)
  .refine(({ slowerMs, fasterMs }) => slowerMs === undefined || fasterMs === undefined || fasterMs >= slowerMs, {
    error: "must not be less than slowerMs",
    path: ["fasterMs"],
  });

/** What happened to requests that the node remembers, newest or slowest first: queue, batch, phases, steps. Their tensors are not kept. */
export async function findRequests({
  ctx,
  input,
}: Call<z.input<typeof findRequestsInput>>): Promise<{ readonly records: readonly FlightRecord[] }> {
  authorise(ctx.actor, "model.read");
  return { records: await ctx.node.requests(parseInput(findRequestsInput, input)) };
}
