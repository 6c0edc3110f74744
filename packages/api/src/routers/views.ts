import {
  listViews,
  removeView,
  renameView,
  renameViewInput,
  saveView,
  saveViewInput,
  viewInput,
} from "@nereid/services";
import { z } from "zod";
import { object } from "../rest/schemas.ts";
import { router, viewerProcedure } from "../trpc.ts";

const view = object({ id: z.string(), name: z.string(), path: z.string() });

export const viewsRouter = router({
  list: viewerProcedure
    .meta({
      rest: {
        method: "GET",
        path: "/me/views",
        summary: "The addresses of the dashboard that you have given names",
        permission: "session",
        output: { name: "Views", schema: z.array(view) },
      },
    })
    .query(({ ctx }) => listViews({ ctx: ctx.service })),
  save: viewerProcedure
    .meta({
      rest: {
        method: "POST",
        path: "/me/views",
        summary: "Give an address of the dashboard a name; 50 at most",
        permission: "session",
        output: { name: "View", schema: view },
      },
    })
    .input(saveViewInput)
    .mutation(({ ctx, input }) => saveView({ ctx: ctx.service, input })),
  rename: viewerProcedure
    .meta({
      rest: {
        method: "PATCH",
        path: "/me/views/{id}",
        summary: "Give a view of yours another name",
        permission: "session",
        output: { name: "View", schema: view },
      },
    })
    .input(renameViewInput)
    .mutation(({ ctx, input }) => renameView({ ctx: ctx.service, input })),
  remove: viewerProcedure
    .meta({
      rest: {
        method: "DELETE",
        path: "/me/views/{id}",
        summary: "Delete a view of yours; answers what it was",
        permission: "session",
        output: { name: "View", schema: view },
      },
    })
    .input(viewInput)
    .mutation(({ ctx, input }) => removeView({ ctx: ctx.service, input })),
});
