import type { ServiceContext } from "../context.ts";
import { modelKey } from "../nodes/model-key.ts";
import type { ModelEvent } from "./event-kinds.ts";

const NEAR_SECONDS = 10;
const MOST_ENTRIES = 2_000;

/** The events with the two entries of the configuration's history that each change of a configuration lies between. */
export async function withChanges(ctx: Pick<ServiceContext, "db">, events: ModelEvent[]): Promise<ModelEvent[]> {
  const keys = new Set(events.flatMap((event) => keyOf(event) ?? []));
  if (keys.size === 0) return events;
  const entries = await ctx.db.configEntry.findMany({
    where: { model: { in: [...keys] } },
    orderBy: [{ at: "desc" }, { number: "desc" }],
    take: MOST_ENTRIES,
    select: { id: true, model: true, number: true, at: true },
  });
  return events.map((event) => {
    const key = keyOf(event);
    if (key === undefined) return event;
    const own = entries.filter(({ model }) => model === key);
    // The entry is written in the transaction of the audit row, just before it.
    const to = own.find(({ at }) => {
      const before = event.t - at.getTime() / 1000;
      return before >= 0 && before <= NEAR_SECONDS;
    });
    const from = own.find(({ number }) => number + 1 === to?.number);
    return to === undefined || from === undefined ? event : { ...event, change: { from: from.id, to: to.id } };
  });
}

function keyOf({ kind, node, model }: ModelEvent): string | undefined {
  return kind === "config" && model !== null ? modelKey({ nodeId: node }, model) : undefined;
}
