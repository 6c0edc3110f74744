import { z } from "zod";
import { authorise } from "../access/permissions.ts";
import type { Call, ServiceContext } from "../context.ts";
import { LAST_SECOND } from "../instant.ts";
import { modelName } from "../models/model-name.ts";
import { endsAfterItBegins } from "../ordered-range.ts";
import { parseInput } from "../parse-input.ts";
import { EVENT_KINDS, type ModelEvent } from "./event-kinds.ts";
import { gatherEvents } from "./gather-events.ts";

/** Unix seconds. */
export const eventMoment = z.number().min(0).max(LAST_SECOND);

export const listEventsInput = z
  .object({
    model: modelName.optional(),
    /** Unix seconds, both inclusive. */
    from: eventMoment.optional(),
    to: eventMoment.optional(),
    kinds: z.array(z.enum(EVENT_KINDS)).max(EVENT_KINDS.length).optional(),
    /** Only failures of the server's own and alerts that begin. */
    trouble: z.boolean().optional(),
    limit: z.int().min(1).max(500).default(200),
  })
  .superRefine(endsAfterItBegins);

/** What was done, or happened, to the models of a node, newest first: the marks of the charts. */
export async function listEvents({ ctx, input }: Call<z.input<typeof listEventsInput>>): Promise<ModelEvent[]> {
  authorise(ctx.actor, "model.read");
  return eventsOf(ctx, parseInput(listEventsInput, input));
}

/** Events of the node that the context is about. While its server does not answer, those of the records. */
export async function eventsOf(ctx: ServiceContext, wanted: z.output<typeof listEventsInput>): Promise<ModelEvent[]> {
  const nodes = [{ id: ctx.nodeId, name: ctx.nodeId, client: ctx.node }];
  return (await gatherEvents(ctx, { ...wanted, nodes })).events;
}
