import type { ModelStatus } from "@nereid/client";
import type { z } from "zod";
import { authorise } from "../access/permissions.ts";
import type { Call } from "../context.ts";
import type { ModelEvent } from "../events/event-kinds.ts";
import { eventsOf } from "../events/list-events.ts";
import { parseInput } from "../parse-input.ts";
import { findNode } from "./find-node.ts";
import { inTime, type NodeRow, toRow } from "./list-nodes.ts";
import { nodeInput } from "./node-input.ts";

const SHOWN_EVENTS = 12;

/** A node, the models that lie on it, and what was done to them there. */
export interface NodeDetail {
  readonly node: NodeRow;
  /** By name; null while it does not answer. */
  readonly placed: readonly ModelStatus[] | null;
  readonly events: readonly ModelEvent[];
}

/** One node. Answers also while its server is down. */
export async function getNode({ ctx, input }: Call<z.input<typeof nodeInput>>): Promise<NodeDetail> {
  authorise(ctx.actor, "model.read");
  const node = findNode(ctx.nodes, parseInput(nodeInput, input).id);
  const there = { ...ctx, nodeId: node.id, node: node.client, metrics: node.metrics };
  const [row, models, events] = await Promise.all([
    toRow(node),
    inTime(node.client.models()).catch(() => null),
    eventsOf(there, { limit: SHOWN_EVENTS }),
  ]);
  return { node: row, placed: models?.toSorted((a, b) => a.name.localeCompare(b.name, "en")) ?? null, events };
}
