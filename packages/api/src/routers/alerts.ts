import {
  acknowledgeAlert,
  acknowledgeAlertInput,
  channelInput,
  listAlerts,
  listAlertsInput,
  listChannels,
  removeChannel,
  saveChannel,
  saveChannelInput,
  testChannel,
} from "@nereid/services";
import { z } from "zod";
import { object } from "../rest/schemas.ts";
import { alertRecord, channelRecord, savedChannel } from "../rest/slo-schemas.ts";
import { router, viewerProcedure } from "../trpc.ts";

export const alertsRouter = router({
  list: viewerProcedure
    .meta({
      rest: {
        method: "GET",
        path: "/alerts",
        summary: "What is, or was, wrong; newest first",
        permission: "metrics.read",
        output: { name: "Alerts", schema: z.array(alertRecord) },
      },
    })
    .input(listAlertsInput)
    .query(({ ctx, input }) => listAlerts({ ctx: ctx.service, input })),
  acknowledge: viewerProcedure
    .meta({
      rest: {
        method: "POST",
        path: "/alerts/{id}/acknowledge",
        summary: "Say that somebody looks after it, or take that back",
        permission: "alert.acknowledge",
        output: { name: "Alert", schema: alertRecord },
      },
    })
    .input(acknowledgeAlertInput)
    .mutation(({ ctx, input }) => acknowledgeAlert({ ctx: ctx.service, input })),
  channels: viewerProcedure
    .meta({
      rest: {
        method: "GET",
        path: "/alert-channels",
        summary: "Where alerts are sent",
        permission: "channel.manage",
        output: { name: "AlertChannels", schema: z.array(channelRecord) },
      },
    })
    .query(({ ctx }) => listChannels({ ctx: ctx.service })),
  saveChannel: viewerProcedure
    .meta({
      rest: {
        method: "PUT",
        path: "/alert-channels",
        summary: "Add a receiver of alerts, or with an id change one; the secret of a new one is in this answer only",
        permission: "channel.manage",
        output: { name: "SavedAlertChannel", schema: savedChannel },
      },
    })
    .input(saveChannelInput)
    .mutation(({ ctx, input }) => saveChannel({ ctx: ctx.service, input })),
  removeChannel: viewerProcedure
    .meta({
      rest: {
        method: "DELETE",
        path: "/alert-channels/{id}",
        summary: "Send no more alerts there",
        permission: "channel.manage",
        output: { name: "AlertChannel", schema: channelRecord },
      },
    })
    .input(channelInput)
    .mutation(({ ctx, input }) => removeChannel({ ctx: ctx.service, input })),
  testChannel: viewerProcedure
    .meta({
      rest: {
        method: "POST",
        path: "/alert-channels/{id}/test",
        summary: "Send a message that says it is a test, and answer the receiver's status",
        permission: "channel.manage",
        output: { name: "AlertChannelTest", schema: object({ status: z.number() }) },
      },
    })
    .input(channelInput)
    .mutation(({ ctx, input }) => testChannel({ ctx: ctx.service, input })),
});
