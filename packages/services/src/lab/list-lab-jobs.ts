import { z } from "zod";
import { authorise } from "../access/permissions.ts";
import type { Call } from "../context.ts";
import { modelName } from "../models/model-name.ts";
import { parseInput } from "../parse-input.ts";
import { readPage } from "../read-page.ts";
import { LAB_PHASES, type LabJobSummary, SUMMARY_COLUMNS, toLabSummary } from "./lab-job.ts";
import { LAB_KINDS } from "./lab-task.ts";

export const listLabJobsInput = z.object({
  kind: z.enum(LAB_KINDS).optional(),
  model: modelName.optional(),
  phase: z.enum(LAB_PHASES).optional(),
  /** Part of a title, of a note or of a model's name. */
  text: z.string().trim().max(200).optional(),
  /** Position after which to go on, as an earlier page answered it. */
  cursor: z.string().max(100).optional(),
  limit: z.int().min(1).max(200).default(50),
});

export interface LabJobPage {
  readonly jobs: readonly LabJobSummary[];
  readonly nextCursor: string | null;
}

/** Jobs of all servers, newest first, a page at a time. Texts are matched as the database does: SQLite ignores case of ASCII letters. */
export async function listLabJobs({ ctx, input }: Call<z.input<typeof listLabJobsInput>>): Promise<LabJobPage> {
  authorise(ctx.actor, "model.read");
  const { kind, model, phase, text = "", cursor, limit } = parseInput(listLabJobsInput, input);
  const where = {
    ...(kind !== undefined && { kind }),
    ...(model !== undefined && { model }),
    ...(phase !== undefined && { phase }),
    ...(text !== "" && {
      OR: [{ title: { contains: text } }, { note: { contains: text } }, { model: { contains: text } }],
    }),
  };
  const { labJob } = ctx.db;
  const { rows, nextCursor } = await readPage({
    cursor,
    limit,
    find: (place) =>
      labJob.findMany({ where, select: SUMMARY_COLUMNS, orderBy: [{ createdAt: "desc" }, { id: "desc" }], ...place }),
    exists: async (id) => (await labJob.count({ where: { id } })) > 0,
  });
  return { jobs: rows.map(toLabSummary), nextCursor };
}
