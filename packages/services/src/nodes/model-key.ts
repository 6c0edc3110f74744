import { LOCAL_NODE } from "./managed-node.ts";

/**
 * Name under which the records of a model are kept: its own on the local node; on another one with the node's id before it, for models
 * of the same name on two nodes have nothing to do with each other. No model's name has a slash.
 */
export function modelKey({ nodeId }: { readonly nodeId: string }, model: string): string {
  return nodeId === LOCAL_NODE ? model : `${nodeId}/${model}`;
}
