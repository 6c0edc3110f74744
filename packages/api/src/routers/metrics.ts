import {
  type LatencyEvent,
  recentLatency,
  recentLatencyInput,
  streamLatency,
  streamLatencyInput,
  streamSummaries,
} from "@nereid/services";
import { tracked } from "@trpc/server";
import { z } from "zod";
import { guardStream } from "../guard-stream.ts";
import { recentLatency as recentLatencyAnswer } from "../rest/overview-schemas.ts";
import { router, viewerProcedure } from "../trpc.ts";

/** The browser names the last event it has seen when it comes back; it then takes the place of `after`. */
const resumable = { lastEventId: z.string().regex(/^\d+$/).nullish() };

const summariesInput = z.object(resumable).optional();
const latencyInput = streamLatencyInput.extend(resumable);

/** Resume after the later of what the page had at first and what it has seen since. */
function resumePoint(after: number, lastEventId: string | null | undefined): number {
  return Math.max(after, Number(lastEventId ?? 0));
}

export const metricsRouter = router({
  recentLatency: viewerProcedure
    .meta({
      rest: {
        method: "GET",
        path: "/models/{model}/latency",
        summary: "The remembered seconds of one model, at most 15 minutes",
        permission: "metrics.read",
        output: { name: "RecentLatency", schema: recentLatencyAnswer },
      },
    })
    .input(recentLatencyInput)
    .query(({ ctx, input }) => recentLatency({ ctx: ctx.service, input })),

  latency: viewerProcedure.input(latencyInput).subscription(async function* ({ ctx, input, signal, path }) {
    const { lastEventId, ...filter } = input;
    let last = resumePoint(filter.after, lastEventId);
    const until = AbortSignal.any([ctx.shutdown, ...(signal === undefined ? [] : [signal])]);
    const items = streamLatency({ ctx: ctx.service, input: { ...filter, after: last }, signal: until });
    for await (const event of guardStream<LatencyEvent>({ ctx, path, items })) {
      if (event.kind === "row") last = event.row.t;
      yield tracked(String(last), event);
    }
  }),

  summaries: viewerProcedure.input(summariesInput).subscription(async function* ({ ctx, signal, path }) {
    const until = AbortSignal.any([ctx.shutdown, ...(signal === undefined ? [] : [signal])]);
    const items = streamSummaries({ ctx: ctx.service, signal: until });
    for await (const event of guardStream({ ctx, path, items })) yield tracked(String(event.t ?? 0), event);
  }),
});
