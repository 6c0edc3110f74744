import { type Actor, findNode, type ServiceContext } from "@nereid/services";
import type { ApiContext } from "./context.ts";

/** The context in which verbs run for this actor. NOT_FOUND when the request names a node that does not exist. */
export function serviceContext(ctx: ApiContext, actor: Actor): ServiceContext {
  const { base, sessionId, nodes, nodeControl, nodeId, history, alerts } = ctx;
  const { client: node, metrics } = findNode(nodes, nodeId);
  return { ...base, actor, sessionId, nodeId, node, metrics, nodes, nodeControl, history, alerts };
}
