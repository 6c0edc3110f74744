import type { RunnerEvent } from "@nereid/client";
import type { AuditEvent } from "@nereid/db";
import { z } from "zod";
import { authorise } from "../access/permissions.ts";
import type { Call, ServiceContext } from "../context.ts";
import { modelName } from "../models/model-name.ts";
import { LOCAL_NODE } from "../nodes/managed-node.ts";
import { parseInput } from "../parse-input.ts";

/** Latest moment that both databases can say, in seconds. */
const LAST_SECOND = 253_402_300_799;

export const listEventsInput = z.object({
  model: modelName.optional(),
  /** Unix seconds, both inclusive. */
  from: z.number().min(0).max(LAST_SECOND).optional(),
  to: z.number().min(0).max(LAST_SECOND).optional(),
  limit: z.int().min(1).max(500).default(200),
});

export type EventKind = "deploy" | "config" | "load" | "unload" | "rollback" | "restart" | "delete";

export interface ModelEvent {
  /** Unix seconds, with fractions. */
  readonly t: number;
  readonly kind: EventKind;
  readonly model: string;
  readonly version: string | null;
  readonly label: string;
  readonly actorName: string;
  readonly auditId: string | null;
}

const KINDS: Readonly<Record<string, EventKind>> = {
  "draft.publish": "deploy",
  "config.apply": "config",
  "config.restore": "config",
  "model.load": "load",
  "version.load": "load",
  "version.pin": "load",
  "model.unload": "unload",
  "version.unload": "unload",
  "version.rollback": "rollback",
  "model.delete": "delete",
  "version.delete": "delete",
};

const LABELS: Readonly<Record<EventKind, string>> = {
  deploy: "Deployed",
  config: "Configuration changed",
  load: "Loaded",
  unload: "Unloaded",
  rollback: "Rolled back to",
  restart: "Restarted",
  delete: "Removed",
};

/** What was done to models and succeeded, newest first: the marks of the charts. */
export async function listEvents({ ctx, input }: Call<z.input<typeof listEventsInput>>): Promise<ModelEvent[]> {
  authorise(ctx.actor, "model.read");
  return eventsOf(ctx, parseInput(listEventsInput, input));
}

export async function eventsOf(ctx: ServiceContext, wanted: z.output<typeof listEventsInput>): Promise<ModelEvent[]> {
  const { model, from, to, limit } = wanted;
  const at = {
    ...(from === undefined ? {} : { gte: new Date(from * 1000) }),
    ...(to === undefined ? {} : { lte: new Date(to * 1000) }),
  };
  const rows = await ctx.db.auditEvent.findMany({
    where: {
      action: { in: Object.keys(KINDS) },
      targetType: "model",
      outcome: "succeeded",
      at,
      ...(model === undefined ? {} : { targetId: model }),
    },
    orderBy: [{ at: "desc" }, { seq: "desc" }],
    take: limit,
  });
  // A server that does not answer has no marks of its own; those of the trail are still worth showing.
  const own = await ctx.node.runnerEvents().catch(() => []);
  const restarts = own.flatMap(toRestart).filter((event) => isWanted(event, wanted));
  const here = rows.filter(({ after }) => nodeOf(after) === ctx.nodeId);
  return [...here.flatMap(toEvent), ...restarts].sort((a, b) => b.t - a.t).slice(0, limit);
}

function isWanted({ t, model }: ModelEvent, wanted: z.output<typeof listEventsInput>): boolean {
  if (wanted.model !== undefined && wanted.model !== model) return false;
  return t >= (wanted.from ?? 0) && t <= (wanted.to ?? LAST_SECOND);
}

/** The mark of a runner that ended by itself. Its coming back is no mark of its own: there would be two for one mishap. */
function toRestart({ atMs, model, version, kind, reason }: RunnerEvent): ModelEvent[] {
  if (kind === "restarted") return [];
  const what = kind === "ended" ? "ended by itself" : "did not come back";
  const label = `Process of version ${version} ${what}: ${reason}`;
  return [{ t: atMs / 1000, kind: "restart", model, version, label, actorName: "server", auditId: null }];
}

/** The mark of an audit row; none for what does not change what is served. */
export function toEvent(
  row: Pick<AuditEvent, "id" | "at" | "action" | "targetId" | "actorName" | "after">,
): ModelEvent[] {
  const kind = KINDS[row.action];
  if (kind === undefined) return [];
  const version = versionOf(row.after);
  const label = row.action === "version.pin" ? "Served versions changed" : LABELS[kind];
  return [
    {
      t: row.at.getTime() / 1000,
      kind,
      model: row.targetId,
      version,
      label: version === null ? label : `${label} version ${version}`,
      actorName: row.actorName,
      auditId: row.id,
    },
  ];
}

/** The node of an audit row; rows that name none are of the local one. */
function nodeOf(after: unknown): string {
  const id: unknown = typeof after === "object" && after !== null ? Reflect.get(after, "nodeId") : undefined;
  return typeof id === "string" ? id : LOCAL_NODE;
}

function versionOf(after: unknown): string | null {
  if (typeof after !== "object" || after === null) return null;
  const version: unknown = Reflect.get(after, "version") ?? Reflect.get(after, "to");
  return typeof version === "string" ? version : null;
}
