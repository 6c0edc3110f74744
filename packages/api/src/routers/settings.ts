import {
  getPreferences,
  getRetention,
  preferences,
  savePreferences,
  saveRetention,
  saveRetentionInput,
} from "@nereid/services";
import { z } from "zod";
import { object } from "../rest/schemas.ts";
import { router, viewerProcedure } from "../trpc.ts";

const retention = object({ historyDays: z.number(), chunks: z.number() });
const chosen = object(preferences.shape);

export const settingsRouter = router({
  retention: viewerProcedure
    .meta({
      rest: {
        method: "GET",
        path: "/settings/retention",
        summary: "How long measurements are kept",
        permission: "metrics.read",
        output: { name: "Retention", schema: retention },
      },
    })
    .query(({ ctx }) => getRetention({ ctx: ctx.service })),
  saveRetention: viewerProcedure
    .meta({
      rest: {
        method: "PUT",
        path: "/settings/retention",
        summary: "Keep measurements for so many days; older ones go",
        permission: "settings.manage",
        output: { name: "Retention", schema: retention },
      },
    })
    .input(saveRetentionInput)
    .mutation(({ ctx, input }) => saveRetention({ ctx: ctx.service, input })),
  preferences: viewerProcedure
    .meta({
      rest: {
        method: "GET",
        path: "/me/preferences",
        summary: "How you like to look at things",
        permission: "session",
        output: { name: "Preferences", schema: chosen },
      },
    })
    .query(({ ctx }) => getPreferences({ ctx: ctx.service })),
  savePreferences: viewerProcedure
    .meta({
      rest: {
        method: "PUT",
        path: "/me/preferences",
        summary: "Keep how you like to look at things",
        permission: "session",
        output: { name: "Preferences", schema: chosen },
      },
    })
    .input(preferences)
    .mutation(({ ctx, input }) => savePreferences({ ctx: ctx.service, input })),
});
