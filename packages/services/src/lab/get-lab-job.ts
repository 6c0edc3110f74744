import { NereidError } from "@nereid/errors";
import { z } from "zod";
import { authorise } from "../access/permissions.ts";
import type { Call } from "../context.ts";
import { parseInput } from "../parse-input.ts";
import { type LabJobView, toLabJob } from "./lab-job.ts";

export const labJobInput = z.object({ id: z.string().min(1).max(100) });

export const getLabJobInput = labJobInput.extend({
  /** Without it `spec` is null: it does not change, and may hold a megabyte of requests. */
  withSpec: z.boolean().default(true),
});

/** One job with how it stands and what came of it. NOT_FOUND when there is none with this id. */
export async function getLabJob({ ctx, input }: Call<z.input<typeof getLabJobInput>>): Promise<LabJobView> {
  authorise(ctx.actor, "model.read");
  const { id, withSpec } = parseInput(getLabJobInput, input);
  const row = await ctx.db.labJob.findUnique({ where: { id } });
  if (row === null) throw noSuchLabJob(id);
  return withSpec ? toLabJob(row) : { ...toLabJob(row), spec: null };
}

export function noSuchLabJob(id: string): NereidError {
  return new NereidError("NOT_FOUND", `there is no job ${id}`, {
    fix: "look at the list of load tests, tunings or experiments",
  });
}
