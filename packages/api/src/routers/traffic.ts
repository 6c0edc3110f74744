import { divideTraffic, divideTrafficInput, getTraffic, modelInput } from "@nereid/services";
import { traffic, trafficChange } from "../rest/model-schemas.ts";
import { router, viewerProcedure } from "../trpc.ts";

export const trafficRouter = router({
  get: viewerProcedure
    .meta({
      rest: {
        method: "GET",
        path: "/models/{name}/traffic",
        summary: "How requests that name no version are divided; null = all to the highest READY version",
        permission: "model.read",
        output: { name: "Traffic", schema: traffic },
      },
    })
    .input(modelInput)
    .query(({ ctx, input }) => getTraffic({ ctx: ctx.service, input })),
  divide: viewerProcedure
    .meta({
      rest: {
        method: "PUT",
        path: "/models/{name}/traffic",
        summary: "Divide requests that name no version between versions; weights null = all to the highest READY one",
        permission: "model.load",
        output: { name: "TrafficChange", schema: trafficChange },
      },
    })
    .input(divideTrafficInput)
    .mutation(({ ctx, input }) => divideTraffic({ ctx: ctx.service, input })),
});
