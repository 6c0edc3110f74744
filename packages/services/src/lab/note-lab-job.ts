import type { z } from "zod";
import { changeRecords } from "../change-records.ts";
import type { Call } from "../context.ts";
import { parseInput } from "../parse-input.ts";
import { labJobInput, noSuchLabJob } from "./get-lab-job.ts";
import { type LabJobView, toLabJob } from "./lab-job.ts";
import { labTarget } from "./lab-target.ts";
import { labNote, labTitle } from "./start-lab-job.ts";

export const noteLabJobInput = labJobInput.extend({
  title: labTitle.min(1).optional(),
  note: labNote.optional(),
});

/** Changes the title or the note of a job, at any time. Audited. NOT_FOUND. */
export async function noteLabJob({ ctx, input }: Call<z.input<typeof noteLabJobInput>>): Promise<LabJobView> {
  const target = await labTarget(ctx, { input, verb: "note" });
  const { id, title, note } = parseInput(noteLabJobInput, input);
  return changeRecords(ctx, {
    ...target,
    work: async (tx) => {
      const before = await tx.labJob.findUnique({ where: { id }, select: { title: true, note: true } });
      if (before === null) throw noSuchLabJob(id);
      const data = { ...(title !== undefined && { title }), ...(note !== undefined && { note }) };
      const row = await tx.labJob.update({ where: { id }, data });
      return { result: toLabJob(row), before, after: { job: id, ...data } };
    },
  });
}
