import type { AuditEvent } from "@nereid/db";
import { LOCAL_NODE } from "../nodes/managed-node.ts";
import type { EventKind, ModelEvent } from "./event-kinds.ts";

interface Action {
  readonly kind: EventKind;
  readonly label: string;
}

const ACTIONS: Readonly<Record<string, Action>> = {
  "draft.publish": { kind: "deploy", label: "Deployed" },
  "config.apply": { kind: "config", label: "Configuration changed" },
  "config.restore": { kind: "config", label: "Configuration restored" },
  "model.load": { kind: "load", label: "Loaded" },
  "version.load": { kind: "load", label: "Loaded" },
  "version.pin": { kind: "load", label: "Served versions changed" },
  "model.unload": { kind: "unload", label: "Unloaded" },
  "version.unload": { kind: "unload", label: "Unloaded" },
  "version.rollback": { kind: "rollback", label: "Rolled back to" },
  "traffic.divide": { kind: "traffic", label: "Traffic divided" },
  "shadow.start": { kind: "traffic", label: "Shadow traffic began" },
  "shadow.stop": { kind: "traffic", label: "Shadow traffic ended" },
  "rollout.start": { kind: "rollout", label: "Rollout began:" },
  "rollout.advance": { kind: "rollout", label: "Rollout went on:" },
  "rollout.promoted": { kind: "rollout", label: "Rollout promoted" },
  "rollout.back": { kind: "rollout", label: "Rollout sends back" },
  "rollout.ended": { kind: "rollout", label: "Rollout ended without" },
  "rollout.pause": { kind: "rollout", label: "Rollout paused:" },
  "rollout.resume": { kind: "rollout", label: "Rollout resumed:" },
  "rollout.promote": { kind: "rollout", label: "Rollout let go on:" },
  "rollout.promote-fully": { kind: "rollout", label: "Rollout promoted fully:" },
  "rollout.give-up": { kind: "rollout", label: "Rollout given up where it was:" },
  "rollout.abort": { kind: "rollout", label: "Rollout aborted:" },
  "rollout.retry": { kind: "rollout", label: "Rollout tried again:" },
  "model.delete": { kind: "delete", label: "Removed" },
  "version.delete": { kind: "delete", label: "Removed" },
  "slo.create": { kind: "objective", label: "Objective set" },
  "slo.change": { kind: "objective", label: "Objective changed" },
  "slo.remove": { kind: "objective", label: "Objective removed" },
  "node.add": { kind: "node", label: "Node added" },
  "node.edit": { kind: "node", label: "Node changed" },
  "node.remove": { kind: "node", label: "Node removed" },
  "node.drain": { kind: "drain", label: "Node drained" },
  "node.undrain": { kind: "drain", label: "Node back in service" },
  "node.cordon": { kind: "drain", label: "Node cordoned" },
  "node.uncordon": { kind: "drain", label: "Node uncordoned" },
};

/** Actions of the audit trail that are events. */
export const EVENT_ACTIONS: readonly string[] = Object.keys(ACTIONS);

export type EventRow = Pick<
  AuditEvent,
  "id" | "at" | "action" | "targetType" | "targetId" | "actorName" | "reason" | "before" | "after"
>;

/** The event of an audit row; none for what does not change what is served or promised. */
export function toEvent(row: EventRow): ModelEvent[] {
  const action = ACTIONS[row.action];
  if (action === undefined) return [];
  const about = (key: string) => textIn(row.after, key) ?? textIn(row.before, key);
  const version = about("version") ?? textIn(row.after, "to");
  const ofModel = row.targetType === "model";
  const name = ofModel ? null : about("name");
  const subject = ofModel && version !== null ? ` version ${version}` : name === null ? "" : `: ${name}`;
  return [
    {
      id: `audit/${row.id}`,
      t: row.at.getTime() / 1000,
      kind: action.kind,
      model: ofModel ? row.targetId : about("model"),
      version: ofModel ? version : null,
      node: row.targetType === "node" ? row.targetId : (about("nodeId") ?? LOCAL_NODE),
      label: `${action.label}${row.action === "version.pin" || action.kind === "config" ? "" : subject}`,
      detail: detailOf(row),
      actorName: row.actorName,
      auditId: row.id,
      change: null,
    },
  ];
}

/** The fields that a configuration changed, and the reason that was given. */
function detailOf({ reason, after }: EventRow): string | null {
  const fields: unknown = typeof after === "object" && after !== null ? Reflect.get(after, "fields") : undefined;
  const named = Array.isArray(fields) ? fields.filter((field) => typeof field === "string").join(", ") : "";
  const parts = [named, reason ?? ""].filter((part) => part !== "");
  return parts.length === 0 ? null : parts.join(" · ");
}

function textIn(value: unknown, key: string): string | null {
  if (typeof value !== "object" || value === null) return null;
  const found: unknown = Reflect.get(value, key);
  return typeof found === "string" ? found : null;
}
