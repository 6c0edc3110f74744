import { decideExperiment, decideExperimentInput, startExperiment, startExperimentInput } from "@nereid/services";
import { labJob } from "../rest/lab-schemas.ts";
import { router, viewerProcedure } from "../trpc.ts";

export const experimentsRouter = router({
  start: viewerProcedure
    .meta({
      rest: {
        method: "POST",
        path: "/experiments",
        summary: "Compare one change of a configuration with the configuration as it is, in windows that take turns",
        permission: "lab.run",
        output: { name: "LabJob", schema: labJob },
      },
    })
    .input(startExperimentInput)
    .mutation(({ ctx, input }) => startExperiment({ ctx: ctx.service, input })),
  decide: viewerProcedure
    .meta({
      rest: {
        method: "POST",
        path: "/experiments/{id}/{decision}",
        summary: "Keep the change as the model's configuration, or record that it was not kept",
        permission: "lab.run",
        output: { name: "LabJob", schema: labJob },
      },
    })
    .input(decideExperimentInput)
    .mutation(({ ctx, input }) => decideExperiment({ ctx: ctx.service, input })),
});
