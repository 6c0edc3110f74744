import { batchingInput, getBatching, operateInstance, operateInstanceInput } from "@nereid/services";
import { modelBatching, operatedInstance } from "../rest/fact-schemas.ts";
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
  operate: viewerProcedure
    .meta({
      rest: {
        method: "POST",
        path: "/models/{name}/instances/{instance}/{action}",
        summary: "Drain, resume or restart one instance while the others serve; a restart is waited for",
        permission: "model.load",
        output: { name: "OperatedInstance", schema: operatedInstance },
      },
    })
    .input(operateInstanceInput)
    .mutation(({ ctx, input }) => operateInstance({ ctx: ctx.service, input })),
});
