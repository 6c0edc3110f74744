import {
  cancelLoad,
  changeModelInput,
  getModel,
  listModels,
  loadModel,
  modelInput,
  profileModel,
  profileModelInput,
  profileTrace,
  profileTraceInput,
  removeModel,
  removeModelInput,
  unloadModel,
} from "@nereid/services";
import { z } from "zod";
import { cancelledLoads, modelDetail, modelProfile, modelStatus, traceEvents } from "../rest/model-schemas.ts";
import { warnings } from "../rest/schemas.ts";
import { router, viewerProcedure } from "../trpc.ts";

export const modelsRouter = router({
  list: viewerProcedure
    .meta({
      rest: {
        method: "GET",
        path: "/models",
        summary: "Every model of every repository",
        permission: "model.read",
        output: { name: "Models", schema: z.array(modelStatus) },
      },
    })
    .query(({ ctx }) => listModels({ ctx: ctx.service })),
  get: viewerProcedure
    .meta({
      rest: {
        method: "GET",
        path: "/models/{name}",
        summary: "One model with its versions and signature",
        permission: "model.read",
        output: { name: "ModelDetail", schema: modelDetail },
      },
    })
    .input(modelInput)
    .query(({ ctx, input }) => getModel({ ctx: ctx.service, input })),
  load: viewerProcedure
    .meta({
      rest: {
        method: "POST",
        path: "/models/{name}/load",
        summary: "Load or reload a model and wait for it",
        permission: "model.load",
        output: { name: "Warnings", schema: warnings },
      },
    })
    .input(changeModelInput)
    .mutation(({ ctx, input }) => loadModel({ ctx: ctx.service, input })),
  cancelLoad: viewerProcedure
    .meta({
      rest: {
        method: "POST",
        path: "/models/{name}/load/cancel",
        summary: "End the loads of a model that are in progress; what is served goes on",
        permission: "model.load",
        output: { name: "CancelledLoads", schema: cancelledLoads },
      },
    })
    .input(changeModelInput)
    .mutation(({ ctx, input }) => cancelLoad({ ctx: ctx.service, input })),
  profile: viewerProcedure
    .meta({
      rest: {
        method: "POST",
        path: "/models/{name}/profile",
        summary: "Profile a model while it serves: its time by operator and provider",
        permission: "model.load",
        output: { name: "ModelProfile", schema: modelProfile },
      },
    })
    .input(profileModelInput)
    .mutation(({ ctx, input }) => profileModel({ ctx: ctx.service, input })),
  profileTrace: viewerProcedure
    .meta({
      rest: {
        method: "GET",
        path: "/models/{name}/profiles/{id}/trace",
        summary: "Every event of a profile, in Chrome's trace format, as Perfetto shows it",
        permission: "model.read",
        output: { name: "TraceEvents", schema: traceEvents },
      },
    })
    .input(profileTraceInput)
    .query(({ ctx, input }) => profileTrace({ ctx: ctx.service, input })),
  unload: viewerProcedure
    .meta({
      rest: { method: "POST", path: "/models/{name}/unload", summary: "Unload a model", permission: "model.unload" },
    })
    .input(changeModelInput)
    .mutation(({ ctx, input }) => unloadModel({ ctx: ctx.service, input })),
  remove: viewerProcedure
    .meta({
      rest: {
        method: "DELETE",
        path: "/models/{name}",
        summary: "Remove a model with all its versions; confirm repeats its name",
        permission: "model.delete",
      },
    })
    .input(removeModelInput)
    .mutation(({ ctx, input }) => removeModel({ ctx: ctx.service, input })),
});
