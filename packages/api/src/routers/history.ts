import { getHistory, historyInput } from "@nereid/services";
import { modelHistory } from "../rest/history-schemas.ts";
import { router, viewerProcedure } from "../trpc.ts";

export const historyRouter = router({
  range: viewerProcedure
    .meta({
      rest: {
        method: "GET",
        path: "/history",
        summary: "What was measured of a model, or of all, in at most 300 steps of any window that is kept",
        permission: "metrics.read",
        output: { name: "ModelHistory", schema: modelHistory },
      },
    })
    .input(historyInput)
    .query(({ ctx, input }) => getHistory({ ctx: ctx.service, input })),
});
