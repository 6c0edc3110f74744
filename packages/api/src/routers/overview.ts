import { getOverview, overviewInput } from "@nereid/services";
import { overview } from "../rest/overview-schemas.ts";
import { router, viewerProcedure } from "../trpc.ts";

export const overviewRouter = router({
  get: viewerProcedure
    .meta({
      rest: {
        method: "GET",
        path: "/overview",
        summary: "The state of the installation at a glance",
        permission: "model.read",
        output: { name: "Overview", schema: overview },
      },
    })
    .input(overviewInput)
    .query(({ ctx, input }) => getOverview({ ctx: ctx.service, input })),
});
