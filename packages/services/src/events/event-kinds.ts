/** What an event is about. */
export const EVENT_KINDS = [
  "deploy",
  "config",
  "load",
  "unload",
  "rollback",
  "traffic",
  "rollout",
  "restart",
  "load-failed",
  "evict",
  "delete",
  "alert",
  "objective",
  "node",
  "drain",
] as const;

export type EventKind = (typeof EVENT_KINDS)[number];

/** Kinds that change what a model does; the others tell of consequences or of what is promised. */
export const CAUSES: readonly EventKind[] = EVENT_KINDS.filter((kind) => kind !== "alert" && kind !== "objective");

const TROUBLES: readonly EventKind[] = ["restart", "load-failed", "evict"];

/** Whether it tells that something is wrong: a failure of the server's own, or an alert that begins. */
export function isTrouble({ kind, id }: Pick<ModelEvent, "kind" | "id">): boolean {
  return kind === "alert" ? id.endsWith(ALERT_OPENED) : TROUBLES.includes(kind);
}

/** End of the id of an alert's first event. */
export const ALERT_OPENED = "/opened";

/** Something that was done, or happened, to a model or a node. */
export interface ModelEvent {
  /** The same at every reading. */
  readonly id: string;
  /** Unix seconds, with fractions. */
  readonly t: number;
  readonly kind: EventKind;
  /** Null where it is about a whole node. */
  readonly model: string | null;
  readonly version: string | null;
  /** Id of the node where it happened. */
  readonly node: string;
  readonly label: string;
  /** The reason that was given, or what was changed; null without. */
  readonly detail: string | null;
  readonly actorName: string;
  readonly auditId: string | null;
  /** Ids of the two entries of the configuration's history, the older one first; null for other kinds and where one is not known. */
  readonly change: { readonly from: string; readonly to: string } | null;
}
