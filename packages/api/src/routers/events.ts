import { listEvents, listEventsInput } from "@nereid/services";
import { z } from "zod";
import { event } from "../rest/overview-schemas.ts";
import { router, viewerProcedure } from "../trpc.ts";

export const eventsRouter = router({
  list: viewerProcedure
    .meta({
      rest: {
        method: "GET",
        path: "/events",
        summary: "What was done to models, newest first",
        permission: "model.read",
        output: { name: "Events", schema: z.array(event) },
      },
    })
    .input(listEventsInput)
    .query(({ ctx, input }) => listEvents({ ctx: ctx.service, input })),
});
