import type { EventKind } from "@nereid/services";

/** The kinds of events in the order of the filter. */
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
] as const satisfies readonly EventKind[];
