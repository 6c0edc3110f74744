import { findRequests, findRequestsInput } from "@nereid/services";
import { foundRequests } from "../rest/request-schemas.ts";
import { router, viewerProcedure } from "../trpc.ts";

export const requestsRouter = router({
  find: viewerProcedure
    .meta({
      rest: {
        method: "GET",
        path: "/requests",
        summary: "What happened to requests that are remembered, newest first: queue, batch, phases, steps",
        permission: "model.read",
        output: { name: "FoundRequests", schema: foundRequests },
      },
    })
    .input(findRequestsInput)
    .query(({ ctx, input }) => findRequests({ ctx: ctx.service, input })),
});
