import type { Database } from "@nereid/db";
import type { Role } from "../access/actor.ts";
import type { ServiceContext } from "../context.ts";
import { HistoryStore } from "../history/history-store.ts";
import { ownReader } from "../history/own-reader.ts";
import { LOCAL_NODE } from "../nodes/managed-node.ts";
import { type FakeNode, fakeNode } from "./fake-node.ts";
import { testNode, testNodeControl } from "./test-node.ts";

export { fakeNode, sha256, versionOf } from "./fake-node.ts";

export interface TestContext extends ServiceContext {
  readonly node: FakeNode;
}

/** A context as the web process would make it, with a frozen clock. */
export function testContext(db: Database, role: Role = "operator"): TestContext {
  const node = fakeNode();
  const metrics: ServiceContext["metrics"] = {
    connection: { state: "live", since: 0 },
    newest: 0,
    recent: () => [],
    follow: async function* () {},
  };
  const clock = { now: () => Date.parse("2026-11-21T08:00:00Z") };
  return {
    actor: { id: "u1", name: "Ada", role, kind: "user" },
    sessionId: "s1",
    db,
    nodeId: LOCAL_NODE,
    node,
    metrics,
    nodes: [testNode(node, metrics)],
    nodeControl: testNodeControl,
    alerts: {
      seal: (text) => `sealed:${text}`,
      unseal: (text) => text.replace("sealed:", ""),
      post: async () => 200,
      check: async () => undefined,
    },
    history: ownReader({ store: new HistoryStore(db), clock, recorders: new Map() }),
    clock,
    requestId: "req-1",
  };
}
