import type { GrpcClient } from "@nereid/client/grpc";
import type { InferenceNode } from "../context.ts";
import type { MetricsHub } from "../metrics/metrics-hub.ts";
import type { NodeCapabilities } from "./capabilities.ts";
import type { NodeFacts } from "./node-facts.ts";

/** Id of the server that the dashboard was started with. */
export const LOCAL_NODE = "local";

export type NodeKind = "nereid" | "triton";

/** How a server is reached, and what was decided about it. */
export interface NodeSpec {
  readonly id: string;
  readonly name: string;
  readonly kind: NodeKind;
  /** Base address of its V2 HTTP port, without a slash at the end. */
  readonly url: string;
  /** Full address of its metrics page; null = the same host, port 8002. */
  readonly metricsUrl: string | null;
  /** Address of its gRPC port, https for TLS; null = the server says its port, or it is the one behind the HTTP port. */
  readonly grpcUrl: string | null;
  /** Key of its management API; null where it wants none. */
  readonly apiKey: string | null;
  /** Takes no new models while it is set. */
  readonly cordoned: boolean;
}

/** A server that the dashboard looks after, as verbs see it. */
export interface ManagedNode extends Omit<NodeSpec, "apiKey"> {
  readonly hasKey: boolean;
  readonly client: InferenceNode;
  readonly metrics: Pick<MetricsHub, "recent" | "newest" | "follow" | "connection">;
  readonly capabilities: NodeCapabilities;
  /** Asks the server what it is and how it stands; rejects when it does not answer. */
  readonly facts: () => Promise<NodeFacts>;
  /** Calls over gRPC at this port, with the key; whoever asks closes it. */
  readonly grpc: (port: number) => GrpcClient;
}

/** What verbs may do to the set of nodes beside its records. */
export interface NodeControl {
  /** Reads the records again: connects to what is new, leaves what is gone. */
  readonly refresh: () => Promise<void>;
  /** Encrypts a key for its record. */
  readonly seal: (secret: string) => string;
  /** Asks a server that is not (yet) among the nodes. */
  readonly probe: (spec: NodeSpec) => Promise<NodeFacts>;
  /** Reads a sealed key, to ask a known server under a new address of the same origin. */
  readonly unseal: (sealed: string) => string;
}
