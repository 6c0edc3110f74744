import type { Database } from "@nereid/db";
import type { Actor, Role } from "@nereid/services";
import { testContext } from "@nereid/services/testing";
import type { ApiContext } from "../context.ts";
import { StreamLimit } from "../stream-limit.ts";

export interface TestApiContext extends ApiContext {
  readonly logged: unknown[];
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
    nodes: service.nodes,
    nodeControl: service.nodeControl,
    nodeId: service.nodeId,
    history: service.history,
    shutdown: new AbortController().signal,
    logError: (error) => logged.push(error),
    logged,
  };
}
