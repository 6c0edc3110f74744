import type { Database } from "@nereid/db";
import type { Actor, ManagedNode, Role } from "@nereid/services";
import { testContext } from "@nereid/services/testing";
import type { ApiContext } from "../context.ts";
import { StreamLimit } from "../stream-limit.ts";

export interface TestApiContext extends ApiContext {
  readonly logged: unknown[];
  /** Of the local node. */
  readonly node: ManagedNode["client"];
  readonly metrics: ManagedNode["metrics"];
}

export const KEY_ACTOR = { id: "k1", name: "CI (key of Ada)", kind: "key", ownerId: "u1" } as const;

/** The context of one request: of a user of this role, of this actor, or of nobody. */
export function apiContext(db: Database, who: Role | Actor | null): TestApiContext {
  const service = testContext(db, typeof who === "string" ? who : "viewer");
  const actor = typeof who === "string" ? service.actor : who;
  const logged: unknown[] = [];
  return {
    actor,
    sessionId: actor?.kind === "user" ? "s1" : null,
    streams: new StreamLimit(),
    refreshActor: async () => actor,
    base: { db: service.db, clock: service.clock, requestId: service.requestId },
    hashPassword: async (password) => `hashed:${password}`,
    onSetupDone: () => {},
    node: service.node,
    metrics: service.metrics,
    nodes: service.nodes,
    nodeControl: service.nodeControl,
    nodeId: service.nodeId,
    history: service.history,
    alerts: service.alerts,
    shutdown: new AbortController().signal,
    logError: (error) => logged.push(error),
    logged,
  };
}

/** The same with a local node that answers or streams otherwise. */
export function withLocal<Context extends ApiContext>(
  ctx: Context,
  local: Partial<Pick<ManagedNode, "client" | "metrics">>,
): Context {
  return { ...ctx, nodes: ctx.nodes.map((node) => ({ ...node, ...local })) };
}
