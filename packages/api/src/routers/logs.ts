import { listLogs, listLogsInput, logFilterInput, streamLogs } from "@nereid/services";
import { tracked } from "@trpc/server";
import { z } from "zod";
import { guardStream } from "../guard-stream.ts";
import { logAnswer } from "../rest/fact-schemas.ts";
import { router, viewerProcedure } from "../trpc.ts";

/** The browser names the last line it has seen when it comes back; it then takes the place of `after`. */
const followInput = logFilterInput.extend({ lastEventId: z.string().regex(/^\d+$/).nullish() });

export const logsRouter = router({
  list: viewerProcedure
    .meta({
      rest: {
        method: "GET",
        path: "/models/{model}/logs",
        summary: "The lines about a model that are remembered, the oldest first",
        permission: "logs.read",
        output: { name: "Logs", schema: logAnswer },
      },
    })
    .input(listLogsInput)
    .query(({ ctx, input }) => listLogs({ ctx: ctx.service, input })),

  follow: viewerProcedure.input(followInput).subscription(async function* ({ ctx, input, signal, path }) {
    const { lastEventId, after = 0, ...filter } = input;
    const until = AbortSignal.any([ctx.shutdown, ...(signal === undefined ? [] : [signal])]);
    const place = Math.max(after, Number(lastEventId ?? 0));
    const items = streamLogs({ ctx: ctx.service, input: { ...filter, after: place }, signal: until });
    for await (const line of guardStream({ ctx, path, items })) yield tracked(String(line.id), line);
  }),
});
