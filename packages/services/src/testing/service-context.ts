import type { Database } from "@nereid/db";
import type { Role } from "../access/actor.ts";
import type { ServiceContext } from "../context.ts";
import { type FakeNode, fakeNode } from "./fake-node.ts";

export { fakeNode, sha256, versionOf } from "./fake-node.ts";

export interface TestContext extends ServiceContext {
  readonly node: FakeNode;
}

/** A context as the web process would make it, with a frozen clock. */
export function testContext(db: Database, role: Role = "operator"): TestContext {
  return {
    actor: { id: "u1", name: "Ada", role, kind: "user" },
    sessionId: "s1",
    db,
    node: fakeNode(),
    metrics: {
      connection: { state: "live", since: 0 },
      recent: () => [],
      follow: async function* () {},
    },
    clock: { now: () => Date.parse("2026-11-21T08:00:00Z") },
    requestId: "req-1",
  };
}
