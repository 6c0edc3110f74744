import {
  batchingInput,
  getBatching,
  operateInstance,
  operateInstanceInput,
  simulateBatching,
  simulateBatchingInput,
} from "@nereid/services";
import { modelBatching, operatedInstance, simulation } from "../rest/fact-schemas.ts";
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
  simulate: viewerProcedure
    .meta({
      rest: {
        method: "GET",
        path: "/models/{name}/simulation",
        summary: "What would have become of the requests of the last minutes with other instances and batches",
        permission: "model.read",
        output: { name: "Simulation", schema: simulation },
      },
    })
    .input(simulateBatchingInput)
    .query(({ ctx, input }) => simulateBatching({ ctx: ctx.service, input })),
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
