import { NereidError } from "@nereid/errors";
import type { ManagedNode } from "./managed-node.ts";

/** The node with this id. NOT_FOUND with words when there is none. */
export function findNode(nodes: readonly ManagedNode[], id: string): ManagedNode {
  const found = nodes.find((node) => node.id === id);
  if (found !== undefined) return found;
  throw new NereidError("NOT_FOUND", `there is no node '${id.slice(0, 100)}'`, {
    fix: "choose one of the nodes that GET /api/v1/nodes lists, or leave the choice out for the local one",
  });
}
