import type { Actor, ServiceContext } from "@nereid/services";
import type { ApiContext } from "./context.ts";

/** The context in which verbs run for this actor. */
export function serviceContext(ctx: ApiContext, actor: Actor): ServiceContext {
  return { ...ctx.base, actor, sessionId: ctx.sessionId, node: ctx.node, metrics: ctx.metrics };
}
