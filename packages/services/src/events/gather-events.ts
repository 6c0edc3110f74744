import { NereidError } from "@nereid/errors";
import { toAlert } from "../alerts/alert-record.ts";
import type { InferenceNode, ServiceContext } from "../context.ts";
import { inTime } from "../nodes/list-nodes.ts";
import { LOCAL_NODE } from "../nodes/managed-node.ts";
import { EVENT_ACTIONS, toEvent } from "./audit-events.ts";
import { withChanges } from "./config-changes.ts";
import { ALERT_OPENED, type ModelEvent } from "./event-kinds.ts";
import { type EventFilter, isWanted, mergeEvents } from "./merge-events.ts";
import { ofServer } from "./node-events.ts";

export interface EventSource {
  readonly id: string;
  readonly name: string;
  readonly client: Pick<InferenceNode, "serverEvents">;
}

export interface EventSearch extends EventFilter {
  /** Servers that are asked; rows of others are left out. */
  readonly nodes: readonly EventSource[];
  readonly limit: number;
}

export interface GatheredEvents {
  /** Newest first. */
  readonly events: ModelEvent[];
  /** Whether there are more than the limit let through. */
  readonly more: boolean;
  /** Servers that did not answer: what they did by themselves is missing. */
  readonly silent: readonly { readonly node: string; readonly problem: string }[];
}

/** Rows of one source that are looked at; many more than are shown, because what is shown is chosen afterwards. */
const MOST_ROWS = 2_000;

/** What was done and what happened, of all sources; a server that does not answer is named and the rest is there. */
export async function gatherEvents(ctx: ServiceContext, search: EventSearch): Promise<GatheredEvents> {
  const { nodes, from, to, limit } = search;
  const during = {
    ...(from === undefined ? {} : { gte: new Date(from * 1000) }),
    ...(to === undefined ? {} : { lte: new Date(to * 1000) }),
  };
  const [rows, alerts, told] = await Promise.all([
    ctx.db.auditEvent.findMany({
      where: { action: { in: [...EVENT_ACTIONS] }, outcome: "succeeded", at: during },
      orderBy: [{ at: "desc" }, { seq: "desc" }],
      take: MOST_ROWS,
    }),
    ctx.db.alert.findMany({
      where: { OR: [{ openedAt: during }, { closedAt: { not: null, ...during } }] },
      orderBy: { openedAt: "desc" },
      take: MOST_ROWS,
    }),
    Promise.all(nodes.map(tellsOf)),
  ]);
  const ids = new Set(nodes.map(({ id }) => id));
  const all = mergeEvents(
    rows.flatMap(toEvent),
    told.flatMap(({ events }) => events),
    alerts.map(toAlert).flatMap(ofAlert),
  );
  // What is said of a node that is no longer there belongs to no server any more; it is part of the whole.
  const whole = ctx.nodes.every(({ id }) => ids.has(id));
  const wanted = all.filter((event) => (whole || ids.has(event.node)) && isWanted(event, search));
  return {
    events: await withChanges(ctx, wanted.slice(0, limit)),
    more: wanted.length > limit || rows.length === MOST_ROWS || alerts.length === MOST_ROWS,
    silent: told.flatMap(({ node, problem }) => (problem === null ? [] : [{ node, problem }])),
  };
}

async function tellsOf({ id, name, client }: EventSource) {
  try {
    const events = await inTime(client.serverEvents());
    return { node: name, problem: null, events: events.flatMap((event) => ofServer(id, event)) };
  } catch (thrown) {
    return { node: name, problem: NereidError.from(thrown).message, events: [] };
  }
}

/** An alert is two events: its beginning, and its end where it is over. */
function ofAlert(alert: ReturnType<typeof toAlert>): ModelEvent[] {
  const { id, title, model, node, severity, openedAtMs, closedAtMs } = alert;
  const about = {
    kind: "alert",
    model,
    version: null,
    node: node ?? LOCAL_NODE,
    detail: severity === "page" ? "Page" : "Ticket",
    actorName: "dashboard",
    auditId: null,
    change: null,
  } as const;
  const opened = { ...about, id: `alert/${id}${ALERT_OPENED}`, t: openedAtMs / 1000, label: `Alert: ${title}` };
  if (closedAtMs === null) return [opened];
  return [opened, { ...about, id: `alert/${id}/closed`, t: closedAtMs / 1000, label: `Alert over: ${title}` }];
}
