import { type EventKind, isTrouble, type ModelEvent } from "./event-kinds.ts";

/** A change that was asked for is in the trail soon after the server has told of it. */
const SAME_SECONDS = 10;
const TOLD_TWICE = new Set<EventKind>(["load", "unload", "traffic"]);

/**
 * Events of all sources, newest first. What a server tells of a load, unload or division that somebody asked for over the dashboard is left
 * out: the trail has it, with the name of who asked.
 */
export function mergeEvents(
  trail: readonly ModelEvent[],
  told: readonly ModelEvent[],
  alerts: readonly ModelEvent[],
): ModelEvent[] {
  const asked = new Map<string, number[]>();
  for (const { node, model, t } of trail) {
    const key = JSON.stringify([node, model]);
    asked.set(key, [...(asked.get(key) ?? []), t]);
  }
  const own = told.filter(({ kind, node, model, t }) => {
    if (!TOLD_TWICE.has(kind)) return true;
    const moments = asked.get(JSON.stringify([node, model])) ?? [];
    return !moments.some((moment) => Math.abs(moment - t) <= SAME_SECONDS);
  });
  return [...trail, ...own, ...alerts].sort((a, b) => b.t - a.t);
}

export interface EventFilter {
  readonly kinds?: readonly EventKind[] | undefined;
  readonly model?: string | undefined;
  /** Only what is wrong. */
  readonly trouble?: boolean | undefined;
  /** Part of the name of who did it. */
  readonly actor?: string | undefined;
  /** Part of anything that is shown. */
  readonly q?: string | undefined;
  /** Unix seconds, both inclusive. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** Whether an event is wanted. What befalls a whole node befalls its models too. */
export function isWanted(event: ModelEvent, { kinds, model, trouble, actor, q, from, to }: EventFilter): boolean {
  const { kind, t, actorName, label, detail } = event;
  if (kinds !== undefined && !kinds.includes(kind)) return false;
  if (model !== undefined && event.model !== model && !(event.model === null && kind === "drain")) return false;
  if (trouble === true && !isTrouble(event)) return false;
  if (t < (from ?? 0) || t > (to ?? Number.POSITIVE_INFINITY)) return false;
  if (actor !== undefined && !has(actorName, actor)) return false;
  return q === undefined || [label, detail, event.model, actorName, event.node].some((text) => has(text ?? "", q));
}

function has(text: string, part: string): boolean {
  return text.toLowerCase().includes(part.toLowerCase());
}
