import { z } from "zod";
import { authorise } from "../access/permissions.ts";
import type { Call, ServiceContext } from "../context.ts";
import type { WindowQuery } from "../history/history-reader.ts";
import { LAST_SECOND } from "../instant.ts";
import type { NodeConnection } from "../metrics/connection.ts";
import { parseInput } from "../parse-input.ts";
import { findNode } from "./find-node.ts";
import { foldReadings, type NodeStep } from "./fold-readings.ts";
import { nodeInput } from "./node-input.ts";

const MOST_POINTS = 300;
const LONGEST_S = 30 * 86_400;
/** What the dashboard remembers second by second; of what was before, the history tells. */
const REMEMBERED_S = 900;

export const nodeReadingsInput = nodeInput
  .extend({
    /** Seconds up to now; 300 when there is neither this nor a window. */
    seconds: z.int().min(10).max(LONGEST_S).optional(),
    /** Or else a window of Unix seconds, `to` exclusive. */
    from: z.int().min(0).max(LAST_SECOND).optional(),
    to: z.int().min(1).max(LAST_SECOND).optional(),
  })
  .refine(({ from, to }) => (from === undefined) === (to === undefined), {
    error: "give both from and to, or neither",
  })
  .refine(({ seconds, from }) => seconds === undefined || from === undefined, {
    error: "give either seconds, or from and to",
  })
  .refine(({ from, to }) => from === undefined || to === undefined || (to > from && to - from <= LONGEST_S), {
    error: "to must be later than from, by 30 days at most",
    path: ["to"],
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

/** How busy a node was over the last seconds or in a window, in at most 300 steps. */
export async function nodeReadings({ ctx, input }: Call<z.input<typeof nodeReadingsInput>>): Promise<NodeReadings> {
  authorise(ctx.actor, "metrics.read");
  const { id, seconds = 300, from: start, to: end } = parseInput(nodeReadingsInput, input);
  const { metrics } = findNode(ctx.nodes, id);
  const now = Math.floor(ctx.clock.now() / 1000);
  if (start !== undefined && end !== undefined) {
    return { ...(await pastReadings(ctx, { node: id, from: start, to: end })), connection: metrics.connection };
  }
  if (seconds > REMEMBERED_S) {
    const past = await pastReadings(ctx, { node: id, from: now - seconds, to: now });
    return { ...past, connection: metrics.connection };
  }
  const step = Math.ceil(seconds / MOST_POINTS);
  const to = Math.floor(now / step) * step;
  const from = to - Math.ceil(seconds / step) * step;
  const points = foldReadings(metrics.recent(from - 1, to - 1, "all models"), step);
  return { step, from, to, points, connection: metrics.connection };
}

async function pastReadings(
  ctx: ServiceContext,
  { node, from: start, to: end }: WindowQuery,
): Promise<Omit<NodeReadings, "connection">> {
  const window = { node, from: start, to: end, maxPoints: MOST_POINTS };
  const [machine, traffic] = await Promise.all([ctx.history.nodeRange(window), ctx.history.range(window)]);
  const readings = new Map(machine.points.map(({ seconds: _, ...point }) => [point.t, point]));
  const points = new Map<number, NodeStep>(
    machine.points.map(({ t }) => [t, { t, requestsPerSecond: null, failuresPerSecond: null, ...readings.get(t) }]),
  );
  for (const { t, merged, seconds: measured } of traffic.series[0]?.points ?? []) {
    if (measured === 0) continue;
    const requestsPerSecond = (merged.success + merged.failure) / measured;
    points.set(t, { ...readings.get(t), t, requestsPerSecond, failuresPerSecond: merged.failure / measured });
  }
  const { step, from } = machine;
  return { step, from, to: machine.to, points: [...points.values()].sort((a, b) => a.t - b.t) };
}
