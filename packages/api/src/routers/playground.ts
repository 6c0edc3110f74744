import { tryInput, tryModel } from "@nereid/services";
import { tryResult } from "../rest/playground-schemas.ts";
import { router, viewerProcedure } from "../trpc.ts";

export const playgroundRouter = router({
  send: viewerProcedure
    .meta({
      rest: {
        method: "POST",
        path: "/models/{model}/try",
        summary: "Send a request to a model, and tell what it answers and where the time goes",
        permission: "model.infer",
        output: { name: "TryResult", schema: tryResult },
      },
    })
    .input(tryInput)
    .mutation(({ ctx, input }) => tryModel({ ctx: ctx.service, input })),
});
