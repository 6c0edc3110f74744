import { getGraph, modelInput } from "@nereid/services";
import { modelGraph } from "../rest/fact-schemas.ts";
import { router, viewerProcedure } from "../trpc.ts";

export const graphRouter = router({
  get: viewerProcedure
    .meta({
      rest: {
        method: "GET",
        path: "/models/{name}/graph",
        summary: "The operators of a model's graph, and where they run",
        permission: "model.read",
        output: { name: "ModelGraph", schema: modelGraph },
      },
    })
    .input(modelInput)
    .query(({ ctx, input }) => getGraph({ ctx: ctx.service, input })),
});
