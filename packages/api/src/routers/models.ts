import { getModel, listModels, loadModel, modelInput, unloadModel } from "@nereid/services";
import { router, viewerProcedure } from "../trpc.ts";

export const modelsRouter = router({
  list: viewerProcedure.query(({ ctx }) => listModels({ ctx: ctx.service })),
  get: viewerProcedure.input(modelInput).query(({ ctx, input }) => getModel({ ctx: ctx.service, input })),
  load: viewerProcedure.input(modelInput).mutation(({ ctx, input }) => loadModel({ ctx: ctx.service, input })),
  unload: viewerProcedure.input(modelInput).mutation(({ ctx, input }) => unloadModel({ ctx: ctx.service, input })),
});
