import { getMemory, modelInput } from "@nereid/services";
import { modelMemory } from "../rest/fact-schemas.ts";
import { router, viewerProcedure } from "../trpc.ts";

export const memoryRouter = router({
  get: viewerProcedure
    .meta({
      rest: {
        method: "GET",
        path: "/models/{name}/memory",
        summary: "What each load of a model held, and who holds memory now",
        permission: "model.read",
        output: { name: "ModelMemory", schema: modelMemory },
      },
    })
    .input(modelInput)
    .query(({ ctx, input }) => getMemory({ ctx: ctx.service, input })),
});
