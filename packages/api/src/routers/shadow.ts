import { getShadow, modelInput, startShadow, startShadowInput, stopShadow, stopShadowInput } from "@nereid/services";
import { shadowStarted, shadowStopped, shadowView } from "../rest/shadow-schemas.ts";
import { router, viewerProcedure } from "../trpc.ts";

export const shadowRouter = router({
  get: viewerProcedure
    .meta({
      rest: {
        method: "GET",
        path: "/models/{name}/shadow",
        summary: "How requests are mirrored and how the answers agree; shadow is null where they are not",
        permission: "model.read",
        output: { name: "ShadowView", schema: shadowView },
      },
    })
    .input(modelInput)
    .query(({ ctx, input }) => getShadow({ ctx: ctx.service, input })),
  start: viewerProcedure
    .meta({
      rest: {
        method: "PUT",
        path: "/models/{name}/shadow",
        summary: "Mirror a share of the requests to another version or a candidate and compare the answers",
        permission: "rollout.manage",
        output: { name: "ShadowStarted", schema: shadowStarted },
      },
    })
    .input(startShadowInput)
    .mutation(({ ctx, input }) => startShadow({ ctx: ctx.service, input })),
  stop: viewerProcedure
    .meta({
      rest: {
        method: "DELETE",
        path: "/models/{name}/shadow",
        summary: "Stop mirroring; harmless where nothing is mirrored",
        permission: "rollout.manage",
        output: { name: "ShadowStopped", schema: shadowStopped },
      },
    })
    .input(stopShadowInput)
    .mutation(({ ctx, input }) => stopShadow({ ctx: ctx.service, input })),
});
