import { NereidError } from "@nereid/errors";
import type { z } from "zod";
import { changeRecords } from "../change-records.ts";
import type { Call } from "../context.ts";
import { reason } from "../instant.ts";
import { parseInput } from "../parse-input.ts";
import { labJobInput, noSuchLabJob } from "./get-lab-job.ts";
import { type LabJobView, toLabJob } from "./lab-job.ts";
import { labTarget } from "./lab-target.ts";

export const cancelLabJobInput = labJobInput.extend({ reason });

/** A job that waits ends at once, one that runs within seconds. Audited. NOT_FOUND; CONFLICT when it has ended already. */
export async function cancelLabJob({ ctx, input }: Call<z.input<typeof cancelLabJobInput>>): Promise<LabJobView> {
  const target = await labTarget(ctx, { input, verb: "cancel" });
  const { id, reason } = parseInput(cancelLabJobInput, input);
  return changeRecords(ctx, {
    ...target,
    reason,
    work: async (tx) => {
      const before = await tx.labJob.findUnique({ where: { id }, select: { phase: true, active: true } });
      if (before === null) throw noSuchLabJob(id);
      if (!before.active) {
        throw new NereidError("CONFLICT", `the job has ended already: ${before.phase}`, { fix: "look at its page" });
      }
      const ended = await tx.labJob.updateMany({
        where: { id, phase: "waiting" },
        data: {
          phase: "cancelled",
          active: false,
          cancelAsked: true,
          endedAt: new Date(ctx.clock.now()),
          revision: { increment: 1 },
        },
      });
      if (ended.count === 0) await tx.labJob.updateMany({ where: { id, active: true }, data: { cancelAsked: true } });
      const row = await tx.labJob.findUniqueOrThrow({ where: { id } });
      const after = { job: id, phase: row.phase };
      return { result: toLabJob(row), before: { phase: before.phase }, after };
    },
  });
}
