import { z } from "zod";
import { authorise } from "../access/permissions.ts";
import type { Call } from "../context.ts";
import { modelName } from "../models/model-name.ts";
import { findNode } from "../nodes/find-node.ts";
import { endsAfterItBegins } from "../ordered-range.ts";
import { parseInput } from "../parse-input.ts";
import { EVENT_KINDS } from "./event-kinds.ts";
import { type GatheredEvents, gatherEvents } from "./gather-events.ts";
import { eventMoment } from "./list-events.ts";

export const listTimelineInput = z
  .object({
    kinds: z.array(z.enum(EVENT_KINDS)).max(EVENT_KINDS.length).optional(),
    model: modelName.optional(),
    /** Id of a node; all of them without it. */
    node: z.string().min(1).max(100).optional(),
    /** Part of the name of who did it. */
    actor: z.string().min(1).max(200).optional(),
    /** Part of what happened, its reason, model, node or actor. */
    q: z.string().min(1).max(200).optional(),
    /** Unix seconds, both inclusive. */
    from: eventMoment.optional(),
    to: eventMoment.optional(),
    /** How far back from now, in seconds, where `from` is absent. */
    seconds: z
      .int()
      .min(1)
      .max(400 * 86_400)
      .optional(),
    /** Only failures of the server's own and alerts that begin. */
    trouble: z.boolean().optional(),
    limit: z.int().min(1).max(1_000).default(500),
  })
  .superRefine(endsAfterItBegins);

export interface Timeline extends GatheredEvents {
  /** Unix seconds of the window that was asked for; null where it has no beginning. */
  readonly from: number | null;
  readonly to: number;
}

/** All that was done and happened on all nodes, on one line of time. NOT_FOUND for a node that there is not. */
export async function listTimeline({ ctx, input }: Call<z.input<typeof listTimelineInput>>): Promise<Timeline> {
  authorise(ctx.actor, "model.read");
  const { node, seconds, ...wanted } = parseInput(listTimelineInput, input);
  const now = ctx.clock.now() / 1000;
  const from = wanted.from ?? (seconds === undefined ? undefined : now - seconds);
  const nodes = node === undefined ? ctx.nodes : [findNode(ctx.nodes, node)];
  const found = await gatherEvents(ctx, { ...wanted, from, nodes });
  return { ...found, from: from ?? null, to: wanted.to ?? now };
}
