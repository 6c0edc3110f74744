import { startLoadTest, startLoadTestInput } from "@nereid/services";
import { labJob } from "../rest/lab-schemas.ts";
import { router, viewerProcedure } from "../trpc.ts";

export const loadTestsRouter = router({
  start: viewerProcedure
    .meta({
      rest: {
        method: "POST",
        path: "/load-tests",
        summary: "Put load on a model and measure it; how it stands and what came of it: /lab/jobs/{id}",
        permission: "lab.run",
        output: { name: "LabJob", schema: labJob },
      },
    })
    .input(startLoadTestInput)
    .mutation(({ ctx, input }) => startLoadTest({ ctx: ctx.service, input })),
});
