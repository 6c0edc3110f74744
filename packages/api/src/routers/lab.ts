import {
  cancelLabJob,
  cancelLabJobInput,
  getLabJob,
  getLabJobInput,
  listLabJobs,
  listLabJobsInput,
  noteLabJob,
  noteLabJobInput,
} from "@nereid/services";
import { labJob, labJobPage } from "../rest/lab-schemas.ts";
import { router, viewerProcedure } from "../trpc.ts";

export const labRouter = router({
  list: viewerProcedure
    .meta({
      rest: {
        method: "GET",
        path: "/lab/jobs",
        summary: "Load tests, tunings and experiments of all nodes, newest first, a page at a time",
        permission: "model.read",
        output: { name: "LabJobs", schema: labJobPage },
      },
    })
    .input(listLabJobsInput)
    .query(({ ctx, input }) => listLabJobs({ ctx: ctx.service, input })),
  get: viewerProcedure
    .meta({
      rest: {
        method: "GET",
        path: "/lab/jobs/{id}",
        summary: "A load test, a tuning or an experiment: what was asked, how it stands, what came of it",
        permission: "model.read",
        output: { name: "LabJob", schema: labJob },
      },
    })
    .input(getLabJobInput)
    .query(({ ctx, input }) => getLabJob({ ctx: ctx.service, input })),
  cancel: viewerProcedure
    .meta({
      rest: {
        method: "POST",
        path: "/lab/jobs/{id}/cancel",
        summary: "Stop it: at once while it waits, within seconds while it runs; what was measured is kept",
        permission: "lab.run",
        output: { name: "LabJob", schema: labJob },
      },
    })
    .input(cancelLabJobInput)
    .mutation(({ ctx, input }) => cancelLabJob({ ctx: ctx.service, input })),
  note: viewerProcedure
    .meta({
      rest: {
        method: "PATCH",
        path: "/lab/jobs/{id}",
        summary: "Change its title or its note",
        permission: "lab.run",
        output: { name: "LabJob", schema: labJob },
      },
    })
    .input(noteLabJobInput)
    .mutation(({ ctx, input }) => noteLabJob({ ctx: ctx.service, input })),
});
