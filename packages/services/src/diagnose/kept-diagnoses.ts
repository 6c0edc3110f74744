import { randomUUID } from "node:crypto";
import type { Diagnosis } from "@nereid/db";
import { NereidError } from "@nereid/errors";
import { z } from "zod";
import { authorise } from "../access/permissions.ts";
import { changeRecords } from "../change-records.ts";
import type { Call } from "../context.ts";
import { modelName } from "../models/model-name.ts";
import { parseInput } from "../parse-input.ts";
import { type diagnoseInput, diagnoseModel } from "./diagnose-model.ts";
import { diagnosisReport, type KeptDiagnosis } from "./report-schema.ts";

/** Kept for each model; older ones go. */
const KEPT = 100;

/** Makes a diagnosis and keeps it, so that it can be linked to and a later one compared with it. */
export async function keepDiagnosis(call: Call<z.input<typeof diagnoseInput>>): Promise<KeptDiagnosis> {
  const { ctx } = call;
  const report = await diagnoseModel(call);
  const { model, node, from, to, verdict } = report;
  return changeRecords(ctx, {
    action: "diagnosis.keep",
    permission: "model.configure",
    targetType: "model",
    targetId: model,
    work: async (tx) => {
      const row = await tx.diagnosis.create({
        data: {
          id: randomUUID(),
          at: new Date(ctx.clock.now()),
          model,
          node,
          from,
          to,
          verdict: verdict.cause,
          // Plain data only: what the database answers is read back as the same type.
          report: JSON.parse(JSON.stringify(report)),
          authorName: ctx.actor.name,
        },
      });
      const old = await tx.diagnosis.findMany({
        where: { model },
        orderBy: { at: "desc" },
        skip: KEPT,
        select: { id: true },
      });
      await tx.diagnosis.deleteMany({ where: { id: { in: old.map(({ id }) => id) } } });
      return { result: toKept(row), after: { id: row.id, verdict: verdict.cause, from, to } };
    },
  });
}

export const keptDiagnosesInput = z.object({ model: modelName, limit: z.int().min(1).max(KEPT).default(20) });

/** The kept diagnoses of a model, newest first. */
export async function listDiagnoses({
  ctx,
  input,
}: Call<z.input<typeof keptDiagnosesInput>>): Promise<KeptDiagnosis[]> {
  authorise(ctx.actor, "metrics.read");
  const { model, limit } = parseInput(keptDiagnosesInput, input);
  const rows = await ctx.db.diagnosis.findMany({ where: { model }, orderBy: { at: "desc" }, take: limit });
  return rows.map(toKept);
}

export const keptDiagnosisInput = z.object({ id: z.string().min(1).max(100) });

/** One kept diagnosis; NOT_FOUND when there is none with this id. */
export async function getDiagnosis({ ctx, input }: Call<z.input<typeof keptDiagnosisInput>>): Promise<KeptDiagnosis> {
  authorise(ctx.actor, "metrics.read");
  const { id } = parseInput(keptDiagnosisInput, input);
  const row = await ctx.db.diagnosis.findUnique({ where: { id } });
  if (row === null) {
    throw new NereidError("NOT_FOUND", `there is no kept diagnosis ${id}`, {
      fix: "it may have been pushed out by newer ones of the model; diagnose again",
    });
  }
  return toKept(row);
}

function toKept({ id, at, authorName, report }: Diagnosis): KeptDiagnosis {
  return { id, atMs: at.getTime(), authorName, report: diagnosisReport.parse(report) };
}
