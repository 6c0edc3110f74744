import { z } from "zod";
import { authorise } from "../access/permissions.ts";
import type { Call } from "../context.ts";
import type { NodeConnection } from "../metrics/connection.ts";
import { parseInput } from "../parse-input.ts";
import { findNode } from "./find-node.ts";
import { foldReadings, type NodeStep } from "./fold-readings.ts";
import { nodeInput } from "./node-input.ts";

const MOST_POINTS = 300;
/** What the dashboard remembers second by second. */
const LONGEST_S = 900;

export const nodeReadingsInput = nodeInput.extend({
  /** Seconds up to now. */
  seconds: z.int().min(10).max(LONGEST_S).default(300),
});

export interface NodeReadings {
  /** Seconds of one step. */
  readonly step: number;
  /** Unix seconds; `to` is exclusive. */
  readonly from: number;
  readonly to: number;
  /** Oldest first; a step without data has none. */
  readonly points: readonly NodeStep[];
  readonly connection: NodeConnection;
}

/** How busy a node was over the last seconds, in at most 300 steps. */
export async function nodeReadings({ ctx, input }: Call<z.input<typeof nodeReadingsInput>>): Promise<NodeReadings> {
  authorise(ctx.actor, "metrics.read");
  const { id, seconds } = parseInput(nodeReadingsInput, input);
  const { metrics } = findNode(ctx.nodes, id);
  const step = Math.ceil(seconds / MOST_POINTS);
  const to = Math.floor(ctx.clock.now() / 1000 / step) * step;
  const from = to - Math.ceil(seconds / step) * step;
  const points = foldReadings(metrics.recent(from - 1, to - 1), step);
  return { step, from, to, points, connection: metrics.connection };
}
