import { z } from "zod";
import { authorise } from "../access/permissions.ts";
import type { Call } from "../context.ts";
import { modelName } from "../models/model-name.ts";
import { parseInput } from "../parse-input.ts";
import type { NodeConnection } from "./connection.ts";
import { type LatencyRow, latencyRowOf } from "./latency-row.ts";
import { newestSeconds, type WindowFigures, windowFigures } from "./window-figures.ts";

export const recentLatencyInput = z.object({
  model: modelName,
  version: z.string().regex(/^\d+$/).optional(),
  seconds: z.int().min(1).max(900).default(900),
});

export interface RecentLatency {
  readonly connection: NodeConnection;
  readonly rows: LatencyRow[];
  /** Over the newest seconds; null before the first bucket. */
  readonly figures: WindowFigures | null;
}

/** The remembered seconds of one model, oldest first; seconds without a bucket are absent. */
export async function recentLatency({ ctx, input }: Call<z.input<typeof recentLatencyInput>>): Promise<RecentLatency> {
  authorise(ctx.actor, "metrics.read");
  const { seconds, ...filter } = parseInput(recentLatencyInput, input);
  const buckets = ctx.metrics.recent(Math.floor(ctx.clock.now() / 1000) - seconds, undefined, filter);
  return {
    connection: ctx.metrics.connection,
    rows: buckets.map((bucket) => latencyRowOf(bucket, filter)),
    figures: windowFigures(newestSeconds(buckets), filter),
  };
}
