import {
  changeVersionInput,
  compareVersionsInput,
  getComparison,
  listVersions,
  loadVersion,
  modelInput,
  pinVersions,
  pinVersionsInput,
  removeVersion,
  removeVersionInput,
  rollback,
  rollbackInput,
  unloadVersion,
} from "@nereid/services";
import { z } from "zod";
import { rolledBack, versionComparison, versionRow } from "../rest/model-schemas.ts";
import { warnings } from "../rest/schemas.ts";
import { router, viewerProcedure } from "../trpc.ts";

export const versionsRouter = router({
  list: viewerProcedure
    .meta({
      rest: {
        method: "GET",
        path: "/models/{name}/versions",
        summary: "Versions on the disk and what is served of them",
        permission: "model.read",
        output: { name: "Versions", schema: z.array(versionRow) },
      },
    })
    .input(modelInput)
    .query(({ ctx, input }) => listVersions({ ctx: ctx.service, input })),
  load: viewerProcedure
    .meta({
      rest: {
        method: "POST",
        path: "/models/{name}/versions/{version}/load",
        summary: "Serve a version beside those that are served",
        permission: "model.load",
        output: { name: "Warnings", schema: warnings },
      },
    })
    .input(changeVersionInput)
    .mutation(({ ctx, input }) => loadVersion({ ctx: ctx.service, input })),
  unload: viewerProcedure
    .meta({
      rest: {
        method: "POST",
        path: "/models/{name}/versions/{version}/unload",
        summary: "Stop serving a version",
        permission: "model.unload",
        output: { name: "Warnings", schema: warnings },
      },
    })
    .input(changeVersionInput)
    .mutation(({ ctx, input }) => unloadVersion({ ctx: ctx.service, input })),
  pin: viewerProcedure
    .meta({
      rest: {
        method: "PUT",
        path: "/models/{name}/pin",
        summary: "Serve exactly these versions; null = what the policy selects",
        permission: "model.load",
        output: { name: "Warnings", schema: warnings },
      },
    })
    .input(pinVersionsInput)
    .mutation(({ ctx, input }) => pinVersions({ ctx: ctx.service, input })),
  rollback: viewerProcedure
    .meta({
      rest: {
        method: "POST",
        path: "/models/{name}/rollback",
        summary: "Serve an earlier version instead of the present one",
        permission: "model.load",
        output: { name: "RolledBack", schema: rolledBack },
      },
    })
    .input(rollbackInput)
    .mutation(({ ctx, input }) => rollback({ ctx: ctx.service, input })),
  compare: viewerProcedure
    .meta({
      rest: {
        method: "GET",
        path: "/models/{name}/versions/{a}/compare/{b}",
        summary: "Two versions side by side",
        permission: "model.read",
        output: { name: "VersionComparison", schema: versionComparison },
      },
    })
    .input(compareVersionsInput)
    .query(({ ctx, input }) => getComparison({ ctx: ctx.service, input })),
  remove: viewerProcedure
    .meta({
      rest: {
        method: "DELETE",
        path: "/models/{name}/versions/{version}",
        summary: "Remove the files of a version; confirm is name/version",
        permission: "model.delete",
      },
    })
    .input(removeVersionInput)
    .mutation(({ ctx, input }) => removeVersion({ ctx: ctx.service, input })),
});
