import {
  applyConfig,
  applyConfigInput,
  checkConfig,
  checkConfigInput,
  configEntryInput,
  configHistoryInput,
  getConfig,
  getConfigEntry,
  listConfigHistory,
  modelInput,
  restoreConfig,
  restoreConfigInput,
} from "@nereid/services";
import { configApplied, configCheck, configEntry, configHistory, configState } from "../rest/model-schemas.ts";
import { router, viewerProcedure } from "../trpc.ts";

export const configRouter = router({
  get: viewerProcedure
    .meta({
      rest: {
        method: "GET",
        path: "/models/{name}/config",
        summary: "The configuration file with digest, graph and served form",
        permission: "model.read",
        output: { name: "ModelConfig", schema: configState },
      },
    })
    .input(modelInput)
    .query(({ ctx, input }) => getConfig({ ctx: ctx.service, input })),
  check: viewerProcedure
    .meta({
      rest: {
        method: "POST",
        path: "/models/{name}/config/check",
        summary: "What the server thinks of a configuration text; changes nothing",
        permission: "model.read",
        output: { name: "ConfigCheck", schema: configCheck },
      },
    })
    .input(checkConfigInput)
    .mutation(({ ctx, input }) => checkConfig({ ctx: ctx.service, input })),
  /** Not `apply`, which tRPC keeps for itself. */
  save: viewerProcedure
    .meta({
      rest: {
        method: "PUT",
        path: "/models/{name}/config",
        summary: "Write a configuration and bring it into effect",
        permission: "model.configure",
        output: { name: "ConfigApplied", schema: configApplied },
      },
    })
    .input(applyConfigInput)
    .mutation(({ ctx, input }) => applyConfig({ ctx: ctx.service, input })),
  history: viewerProcedure
    .meta({
      rest: {
        method: "GET",
        path: "/models/{name}/config/history",
        summary: "Earlier configurations, newest first",
        permission: "model.read",
        output: { name: "ConfigHistory", schema: configHistory },
      },
    })
    .input(configHistoryInput)
    .query(({ ctx, input }) => listConfigHistory({ ctx: ctx.service, input })),
  entry: viewerProcedure
    .meta({
      rest: {
        method: "GET",
        path: "/models/{name}/config/history/{id}",
        summary: "One earlier configuration with its text",
        permission: "model.read",
        output: { name: "ConfigEntry", schema: configEntry },
      },
    })
    .input(configEntryInput)
    .query(({ ctx, input }) => getConfigEntry({ ctx: ctx.service, input })),
  restore: viewerProcedure
    .meta({
      rest: {
        method: "POST",
        path: "/models/{name}/config/history/{id}/restore",
        summary: "Apply an earlier configuration again",
        permission: "model.configure",
        output: { name: "ConfigApplied", schema: configApplied },
      },
    })
    .input(restoreConfigInput)
    .mutation(({ ctx, input }) => restoreConfig({ ctx: ctx.service, input })),
});
