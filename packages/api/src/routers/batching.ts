import { batchingInput, getBatching } from "@nereid/services";
import { modelBatching } from "../rest/fact-schemas.ts";
import { router, viewerProcedure } from "../trpc.ts";

export const batchingRouter = router({
  get: viewerProcedure
    .meta({
      rest: {
        method: "GET",
        path: "/models/{name}/batching",
        summary: "How a model's batches came about, and how busy its instances are",
        permission: "model.read",
        output: { name: "ModelBatching", schema: modelBatching },
      },
    })
    .input(batchingInput)
    .query(({ ctx, input }) => getBatching({ ctx: ctx.service, input })),
});
