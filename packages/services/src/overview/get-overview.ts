import type { ModelStatus, ServerStatus } from "@nereid/client";
import { z } from "zod";
import { authorise } from "../access/permissions.ts";
import type { Call } from "../context.ts";
import type { ModelEvent } from "../events/event-kinds.ts";
import { eventsOf } from "../events/list-events.ts";
import { parseInput } from "../parse-input.ts";
import { countModels, type Health, healthOf } from "./health.ts";
import { type Tiles, tilesOf } from "./tiles.ts";
import { type WorstModel, worstModels } from "./worst-models.ts";

const SPARK_POINTS = 60;
const SHOWN_WORST = 8;
const SHOWN_EVENTS = 10;
const LOOKED_AT_EVENTS = 200;

export const overviewInput = z
  .object({
    /** Unix second at which the window starts; absent = it ends now. */
    from: z.number().min(0).optional(),
    windowSeconds: z.int().min(10).max(900).default(900),
  })
  .optional();

export interface Overview {
  readonly health: Health;
  readonly tiles: Tiles;
  readonly worst: readonly WorstModel[];
  readonly models: {
    readonly total: number;
    readonly ready: number;
    readonly loading: number;
    readonly failed: number;
  };
  readonly recent: readonly ModelEvent[];
  /** Null while the server does not answer. */
  readonly server: ServerStatus | null;
}

/** The state of the installation on one page. Answers also while the inference server is down. */
export async function getOverview({ ctx, input }: Call<z.input<typeof overviewInput>>): Promise<Overview> {
  authorise(ctx.actor, "model.read");
  const { from: wanted, windowSeconds } = { windowSeconds: 900, ...parseInput(overviewInput, input) };
  const now = Math.floor(ctx.clock.now() / 1000);
  const from = wanted ?? now + 1 - windowSeconds;
  const window = { from, to: from + windowSeconds };
  const remembered = ctx.metrics.recent(0, undefined, "all models");
  const seconds = remembered.filter(({ t }) => t >= window.from && t < window.to).length;
  const [models, server, totals, recent, alerts] = await Promise.all([
    orNull<ModelStatus[]>(ctx.node.models()),
    orNull<ServerStatus>(ctx.node.serverStatus()),
    orNull(ctx.history.totals({ node: ctx.nodeId, ...window })),
    eventsOf(ctx, { limit: LOOKED_AT_EVENTS }),
    ctx.db.alert.findMany({
      where: { closedAt: null },
      orderBy: [{ severity: "asc" }, { openedAt: "desc" }],
      take: 100,
      select: { title: true },
    }),
  ]);
  const tiles = tilesOf(remembered, window, SPARK_POINTS);
  return {
    health: healthOf({
      connection: ctx.metrics.connection,
      models,
      errorShare: tiles.errorShare.now,
      alerts: alerts.map(({ title }) => title),
    }),
    tiles,
    worst: worstModels({ totals: totals ?? [], seconds, models: models ?? [] }, SHOWN_WORST),
    models: countModels(models ?? []),
    // What a server loads by itself at its start would leave no room for what people did.
    recent: recent.filter(({ kind, auditId }) => kind !== "load" || auditId !== null).slice(0, SHOWN_EVENTS),
    server,
  };
}

/** A server that is down is what the page is to show, not a reason to show nothing. */
async function orNull<Value>(answer: Promise<Value>): Promise<Value | null> {
  return answer.catch(() => null);
}
