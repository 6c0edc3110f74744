import type { ServiceContext } from "../context.ts";
import { CAUSES } from "../events/event-kinds.ts";
import { eventsOf } from "../events/list-events.ts";
import { divideRecords, machineOf, sliceOf, timelineOf } from "./build-window.ts";
import { neighboursIn } from "./neighbours.ts";
import { readWindowConfig } from "./read-config.ts";
import type { StatsWindow, WindowConfig } from "./stats-window.ts";

export interface WindowRequest {
  readonly model: string;
  readonly version: string | null;
  /** Unix seconds, `to` exclusive. */
  readonly from: number;
  readonly to: number;
}

/** Of the time line: enough to see a rhythm, few enough to be kept with a report. */
const MOST_POINTS = 150;

/** Collects everything that a diagnosis looks at. What a node does not tell is left open; only the history must be readable. */
export async function gatherWindow(ctx: ServiceContext, wanted: WindowRequest): Promise<StatsWindow> {
  const { model, from, to } = wanted;
  const version = wanted.version ?? undefined;
  const node = ctx.nodeId;
  const length = to - from;
  const maxPoints = MOST_POINTS;
  const of = { node, model, version, from, to, maxPoints };
  const [own, byVersion, byNode, all, machine, before, records, config, status, events, totals] = await Promise.all([
    ctx.history.range(of),
    ctx.history.range({ ...of, splitBy: "version" }),
    ctx.history.range({ ...of, node: "all", splitBy: "node" }),
    ctx.history.range({ node, from, to, maxPoints }),
    ctx.history.nodeRange({ node, from, to, maxPoints }),
    ctx.history.range({ ...of, from: from - length, to: from }),
    ctx.node.requests({ model, limit: 500 }).catch(() => []),
    configOf(ctx, model),
    ctx.node.serverStatus().catch(() => null),
    eventsOf(ctx, { from, to, limit: 200, kinds: [...CAUSES] }),
    ctx.history.totals({ node, from, to }),
  ]);
  const points = own.series[0]?.points ?? [];
  const divided = divideRecords(records, wanted);
  const earlier = sliceOf(before.series[0]?.points ?? []);
  return {
    ...wanted,
    node,
    whole: sliceOf(points, divided.sampled.length > 0 ? divided.sampled : divided.slow),
    versions: byVersion.series.map(({ key, points: part }) => ({ key, slice: sliceOf(part) })),
    nodes: byNode.series.map(({ key, points: part }) => ({ key, slice: sliceOf(part) })),
    timeline: timelineOf({ own: points, all: all.series[0]?.points ?? [], node: machine.points }),
    before: earlier.succeeded + earlier.failed === 0 ? null : earlier,
    machine: machineOf(machine.points, status?.cores ?? null),
    neighbours: neighboursIn(totals, { model, seconds: length }),
    ...divided,
    config,
    events: events.map(({ t, label, model: about }) => ({ t, label: `${about}: ${label}` })),
  };
}

async function configOf(ctx: ServiceContext, model: string): Promise<WindowConfig | null> {
  try {
    const { effective, text } = await ctx.node.modelConfigState(model);
    return readWindowConfig(effective ?? text);
  } catch {
    // A node of another make may not show it; the steps do without.
    return null;
  }
}
