import { NereidError } from "@nereid/errors";
import type { ManagedNode } from "./managed-node.ts";

/** Changes that bring a model, or a version of one, to a node. What undoes a change is not among them. */
const BRINGS_MODELS = new Set(["model.load", "version.load", "version.pin", "draft.publish"]);

/** Why a change may not be made on a cordoned node; undefined when it may. */
export function cordonRefusal(
  node: Pick<ManagedNode, "name" | "cordoned"> | undefined,
  action: string,
): NereidError | undefined {
  if (node?.cordoned !== true || !BRINGS_MODELS.has(action)) return undefined;
  return new NereidError("CONFLICT", `the node ${node.name} is cordoned: it takes no models`, {
    fix: "choose another node, or uncordon this one on its page",
  });
}
