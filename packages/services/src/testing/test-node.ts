import { GrpcClient } from "@nereid/client/grpc";
import type { InferenceNode, ServiceContext } from "../context.ts";
import { capabilitiesOf } from "../nodes/capabilities.ts";
import { LOCAL_NODE, type ManagedNode, type NodeControl } from "../nodes/managed-node.ts";
import type { NodeFacts } from "../nodes/node-facts.ts";

export const TEST_FACTS: NodeFacts = {
  serverName: "nereid",
  version: "0.1.0",
  ready: true,
  draining: false,
  controlMode: "explicit",
  repositories: ["/models"],
  startedAtMs: 0,
  cores: 2,
  extensions: ["statistics"],
};

/** The local node of a context for tests, or another one. */
export function testNode(
  client: InferenceNode,
  metrics: ServiceContext["metrics"],
  more: Partial<ManagedNode> = {},
): ManagedNode {
  return {
    id: LOCAL_NODE,
    name: LOCAL_NODE,
    kind: "nereid",
    url: "http://127.0.0.1:8000",
    metricsUrl: null,
    grpcUrl: null,
    cordoned: false,
    hasKey: false,
    client,
    metrics,
    capabilities: capabilitiesOf(more.kind ?? "nereid"),
    facts: async () => TEST_FACTS,
    grpc: (port) => new GrpcClient({ address: `127.0.0.1:${port}` }),
    ...more,
  };
}

/** Control over a set of nodes that never changes; every server answers. */
export const testNodeControl: NodeControl = {
  refresh: async () => {},
  seal: (secret) => `sealed:${secret.length}`,
  unseal: () => "",
  probe: async () => TEST_FACTS,
};
