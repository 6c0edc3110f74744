import { randomUUID } from "node:crypto";
import { NereidError } from "@nereid/errors";
import { z } from "zod";
import { authoriseChange } from "../access/authorise-change.ts";
import { changeRecords } from "../change-records.ts";
import type { Call, ServiceContext } from "../context.ts";
import { parseInput } from "../parse-input.ts";
import { type LabJobView, toLabJob } from "./lab-job.ts";
import { type LabKind, toJson } from "./lab-task.ts";

/** Jobs of one server that may wait; more would be somebody's mistake. */
const MOST_WAITING = 20;

export const labTitle = z.string().trim().max(200);
export const labNote = z.string().trim().max(5_000);

/** How jobs of one kind are begun. */
export interface LabPlan<Input, Spec> {
  readonly kind: LabKind;
  readonly schema: z.ZodType<Spec, Input>;
  readonly modelOf: (spec: Spec) => string;
  /** What it is called where nobody gave it a title. */
  readonly titleOf: (spec: Spec) => string;
  /** What is kept of the spec, completed where needed; throws for what cannot be done on this server. Asked before the record is made. */
  readonly prepare: (ctx: ServiceContext, spec: Spec) => Promise<Spec>;
}

/** What is asked for, with a title and a note of one's own. */
export interface LabRequest<Input> {
  readonly spec: Input;
  readonly title?: string | undefined;
  readonly note?: string | undefined;
}

/** The input of a verb that begins a job: the spec of its kind, a title and a note. */
export function labRequest<Spec extends z.ZodType>(spec: Spec) {
  return z.object({ spec, title: labTitle.optional(), note: labNote.optional() });
}

/**
 * Puts a job on the list; the controller begins it when its server has nothing else to do for the lab. Audited as `<kind>.start`.
 * FORBIDDEN without `lab.run`; INVALID_ARGUMENT; CONFLICT when too many wait; what the plan's `prepare` throws.
 */
export async function startLabJob<Input, Spec>(
  { ctx, input }: Call<LabRequest<Input>>,
  plan: LabPlan<Input, Spec>,
): Promise<LabJobView> {
  const { kind } = plan;
  const target = { action: `${kind}.start`, targetType: "model", targetId: modelIn(input) };
  await authoriseChange(ctx, "lab.run", target);
  const { spec: asked, title = "", note = "" } = parseInput(labRequest(plan.schema), input);
  const spec = await plan.prepare(ctx, asked);
  const model = plan.modelOf(spec);
  return changeRecords(ctx, {
    ...target,
    targetId: model,
    permission: null,
    reason: note === "" ? undefined : note.slice(0, 500),
    work: async (tx) => {
      const waiting = await tx.labJob.count({ where: { node: ctx.nodeId, active: true, phase: "waiting" } });
      if (waiting >= MOST_WAITING) {
        throw new NereidError("CONFLICT", `${waiting} jobs of the lab wait for this server already`, {
          fix: "wait until one has ended, or cancel one",
        });
      }
      const row = await tx.labJob.create({
        data: {
          id: randomUUID(),
          kind,
          node: ctx.nodeId,
          model,
          title: title === "" ? plan.titleOf(spec).slice(0, 200) : title,
          spec: toJson(spec) ?? {},
          phase: "waiting",
          active: true,
          says: "",
          revision: 1,
          createdAt: new Date(ctx.clock.now()),
          // A key is no account.
          createdById: ctx.actor.kind === "key" ? null : ctx.actor.id,
          createdByName: ctx.actor.name,
          note,
        },
      });
      return { result: toLabJob(row), after: { job: row.id, title: row.title } };
    },
  });
}

function modelIn(input: unknown): string {
  const found = z.object({ spec: z.object({ model: z.string() }) }).safeParse(input);
  return found.success ? found.data.spec.model.slice(0, 255) : "";
}
