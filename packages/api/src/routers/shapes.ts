import { getShapes, modelInput } from "@nereid/services";
import { modelShapes } from "../rest/fact-schemas.ts";
import { router, viewerProcedure } from "../trpc.ts";

export const shapesRouter = router({
  get: viewerProcedure
    .meta({
      rest: {
        method: "GET",
        path: "/models/{name}/shapes",
        summary: "Which input shapes the requests of a model had",
        permission: "model.read",
        output: { name: "ModelShapes", schema: modelShapes },
      },
    })
    .input(modelInput)
    .query(({ ctx, input }) => getShapes({ ctx: ctx.service, input })),
});
