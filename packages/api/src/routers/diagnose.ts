import {
  diagnoseInput,
  diagnoseModel,
  diagnosisReport,
  getDiagnosis,
  keepDiagnosis,
  keptDiagnosesInput,
  keptDiagnosis,
  keptDiagnosisInput,
  listDiagnoses,
} from "@nereid/services";
import { z } from "zod";
import { router, viewerProcedure } from "../trpc.ts";

export const diagnoseRouter = router({
  run: viewerProcedure
    .meta({
      rest: {
        method: "POST",
        path: "/models/{model}/diagnose",
        summary:
          "What makes a model slow, or fail, in a window of time: step by step, with a verdict and a suggestion. Changes nothing",
        permission: "metrics.read",
        output: { name: "DiagnosisReport", schema: diagnosisReport },
      },
    })
    .input(diagnoseInput)
    .query(({ ctx, input }) => diagnoseModel({ ctx: ctx.service, input })),

  keep: viewerProcedure
    .meta({
      rest: {
        method: "POST",
        path: "/models/{model}/diagnoses",
        summary: "Diagnose, and keep the report",
        permission: "model.configure",
        output: { name: "KeptDiagnosis", schema: keptDiagnosis },
      },
    })
    .input(diagnoseInput)
    .mutation(({ ctx, input }) => keepDiagnosis({ ctx: ctx.service, input })),

  list: viewerProcedure
    .meta({
      rest: {
        method: "GET",
        path: "/models/{model}/diagnoses",
        summary: "The kept diagnoses of a model, newest first",
        permission: "metrics.read",
        output: { name: "KeptDiagnoses", schema: z.array(keptDiagnosis) },
      },
    })
    .input(keptDiagnosesInput)
    .query(({ ctx, input }) => listDiagnoses({ ctx: ctx.service, input })),

  get: viewerProcedure
    .meta({
      rest: {
        method: "GET",
        path: "/diagnoses/{id}",
        summary: "A kept diagnosis",
        permission: "metrics.read",
        output: { name: "KeptDiagnosis", schema: keptDiagnosis },
      },
    })
    .input(keptDiagnosisInput)
    .query(({ ctx, input }) => getDiagnosis({ ctx: ctx.service, input })),
});
