import type { ServerEvent } from "@nereid/client";
import type { EventKind, ModelEvent } from "./event-kinds.ts";

/** What a server tells of itself as an event; none for the steps on the way and for what is no news. */
export function ofServer(node: string, event: ServerEvent): ModelEvent[] {
  const told = tell(event);
  if (told === null) return [];
  const { id, atMs, model, version, reason } = event;
  return [
    {
      id: `node/${node}/${id}`,
      t: atMs / 1000,
      kind: told.kind,
      model,
      version: version === "" ? null : version,
      node,
      label: told.label,
      detail: reason === "" || told.label.endsWith(reason) ? null : reason,
      actorName: "server",
      auditId: null,
      change: null,
    },
  ];
}

function tell({ kind, version, versions, reason, instance }: ServerEvent): { kind: EventKind; label: string } | null {
  const process = `Process of version ${version}`;
  const one = `Instance ${instance ?? ""} of version ${version}`;
  switch (kind) {
    case "load-finished":
      return { kind: "load", label: `Loaded${loadedWords(versions ?? [])}` };
    case "load-failed":
      return { kind: "load-failed", label: "Load failed" };
    case "unloaded":
      return { kind: "unload", label: "Unloaded" };
    case "evicted":
      return { kind: "evict", label: `Evicted ${reason === "idle" ? "because nobody used it" : "to make room"}` };
    case "traffic-changed":
      return { kind: "traffic", label: "Traffic divided" };
    case "runner-ended":
      return { kind: "restart", label: `${process} ended by itself: ${reason}` };
    case "runner-restart-failed":
      return { kind: "restart", label: `${process} did not come back: ${reason}` };
    case "instance-restarted":
      return { kind: "restart", label: `${one} was restarted` };
    case "instance-restart-failed":
      return { kind: "restart", label: `${one} could not be restarted: ${reason}` };
    // Its coming back is no event of its own: there would be two for one mishap.
    default:
      return null;
  }
}

function loadedWords(versions: readonly string[]): string {
  if (versions.length === 0) return "";
  return ` version${versions.length === 1 ? "" : "s"} ${versions.join(", ")}`;
}
