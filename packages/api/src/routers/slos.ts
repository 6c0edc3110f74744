import {
  listSlos,
  listSlosInput,
  previewSlo,
  removeSlo,
  removeSloInput,
  saveSlo,
  saveSloInput,
  sloInput,
} from "@nereid/services";
import { z } from "zod";
import { sloRecord, sloStanding, sloWithStanding } from "../rest/slo-schemas.ts";
import { router, viewerProcedure } from "../trpc.ts";

export const slosRouter = router({
  list: viewerProcedure
    .meta({
      rest: {
        method: "GET",
        path: "/slos",
        summary: "What is promised of the models, and how each promise stands; worst first",
        permission: "metrics.read",
        output: { name: "Slos", schema: z.array(sloWithStanding) },
      },
    })
    .input(listSlosInput)
    .query(({ ctx, input }) => listSlos({ ctx: ctx.service, input })),
  preview: viewerProcedure
    .meta({
      rest: {
        method: "POST",
        path: "/slos/preview",
        summary: "How a promise would stand on what was measured. Changes nothing",
        permission: "metrics.read",
        output: { name: "SloStanding", schema: sloStanding },
      },
    })
    .input(sloInput)
    .query(({ ctx, input }) => previewSlo({ ctx: ctx.service, input })),
  save: viewerProcedure
    .meta({
      rest: {
        method: "PUT",
        path: "/slos",
        summary: "Promise something of a model, or with an id change a promise",
        permission: "slo.manage",
        output: { name: "Slo", schema: sloRecord },
      },
    })
    .input(saveSloInput)
    .mutation(({ ctx, input }) => saveSlo({ ctx: ctx.service, input })),
  remove: viewerProcedure
    .meta({
      rest: {
        method: "DELETE",
        path: "/slos/{id}",
        summary: "Take a promise back; its alerts close",
        permission: "slo.manage",
        output: { name: "Slo", schema: sloRecord },
      },
    })
    .input(removeSloInput)
    .mutation(({ ctx, input }) => removeSlo({ ctx: ctx.service, input })),
});
