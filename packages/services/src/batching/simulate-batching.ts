import type { Simulation } from "@nereid/client";
import { z } from "zod";
import { authorise } from "../access/permissions.ts";
import type { Call } from "../context.ts";
import { modelInput, versionNumber } from "../models/model-name.ts";
import { parseInput } from "../parse-input.ts";

export const simulateBatchingInput = modelInput.extend({
  /** Needed where several versions are served. */
  version: versionNumber.optional(),
  /** How far back the requests go. */
  seconds: z.int().min(10).max(900).default(300),
  /** What is left out is as it is. */
  instances: z.int().min(1).max(256).optional(),
  maxBatchSize: z.int().min(1).max(4096).optional(),
  maxQueueDelayUs: z.int().min(0).max(60_000_000).optional(),
  /** Sizes with commas between them; empty = the largest. */
  preferred: z
    .string()
    .regex(/^(\d{1,4}(,\d{1,4}){0,31})?$/, "is not up to 32 sizes with commas between them")
    .optional(),
});

/**
 * What would have become of the requests of the last minutes with other instances and batches. CONFLICT where too few came, UNSUPPORTED
 * for ensembles, sequences and decoupled models.
 */
export async function simulateBatching({
  ctx,
  input,
}: Call<z.input<typeof simulateBatchingInput>>): Promise<Simulation> {
  authorise(ctx.actor, "model.read");
  const { name, ...question } = parseInput(simulateBatchingInput, input);
  return ctx.node.simulate(name, question);
}
