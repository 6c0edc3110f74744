import { z } from "zod";
import { authorise } from "../access/permissions.ts";
import type { Call, ServiceContext } from "../context.ts";
import type { NodeConnection } from "../metrics/connection.ts";
import { parseInput } from "../parse-input.ts";
import { findNode } from "./find-node.ts";
import { foldReadings, type NodeStep } from "./fold-readings.ts";
import { nodeInput } from "./node-input.ts";

const MOST_POINTS = 300;
const LONGEST_S = 30 * 86_400;
/** What the dashboard remembers second by second; of what was before, the history tells. */
const REMEMBERED_S = 900;

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
  if (seconds > REMEMBERED_S) return { ...(await pastReadings(ctx, id, seconds)), connection: metrics.connection };
  const step = Math.ceil(seconds / MOST_POINTS);
  const to = Math.floor(ctx.clock.now() / 1000 / step) * step;
  const from = to - Math.ceil(seconds / step) * step;
  const points = foldReadings(metrics.recent(from - 1, to - 1), step);
  return { step, from, to, points, connection: metrics.connection };
}

async function pastReadings(
  ctx: ServiceContext,
  id: string,
  seconds: number,
): Promise<Omit<NodeReadings, "connection">> {
  const to = Math.floor(ctx.clock.now() / 1000);
  const window = { node: id, from: to - seconds, to, maxPoints: MOST_POINTS };
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
