import { startTuning, startTuningInput } from "@nereid/services";
import { labJob } from "../rest/lab-schemas.ts";
import { router, viewerProcedure } from "../trpc.ts";

export const tuningsRouter = router({
  start: viewerProcedure
    .meta({
      rest: {
        method: "POST",
        path: "/tunings",
        summary: "Search for better settings of a model; every try is beside what serves",
        permission: "lab.run",
        output: { name: "LabJob", schema: labJob },
      },
    })
    .input(startTuningInput)
    .mutation(({ ctx, input }) => startTuning({ ctx: ctx.service, input })),
});
