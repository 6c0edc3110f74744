import { listEvents, listEventsInput, listTimeline, listTimelineInput } from "@nereid/services";
import { z } from "zod";
import { event, timeline } from "../rest/overview-schemas.ts";
import { router, viewerProcedure } from "../trpc.ts";

export const eventsRouter = router({
  list: viewerProcedure
    .meta({
      rest: {
        method: "GET",
        path: "/events",
        summary: "What was done to models, and happened to them, on one node, newest first",
        permission: "model.read",
        output: { name: "Events", schema: z.array(event) },
      },
    })
    .input(listEventsInput)
    .query(({ ctx, input }) => listEvents({ ctx: ctx.service, input })),
  timeline: viewerProcedure
    .meta({
      rest: {
        method: "GET",
        path: "/timeline",
        summary: "All that was done and happened, on all nodes or one, newest first",
        permission: "model.read",
        output: { name: "Timeline", schema: timeline },
      },
    })
    .input(listTimelineInput)
    .query(({ ctx, input }) => listTimeline({ ctx: ctx.service, input })),
});
