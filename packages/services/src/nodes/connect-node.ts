import { NereidClient, type NereidClientOptions, type SecondBucket } from "@nereid/client";
import { GrpcClient } from "@nereid/client/grpc";
import type { Clock } from "../clock.ts";
import type { InferenceNode } from "../context.ts";
import { checkedClient } from "./checked-client.ts";
import type { NodeSpec } from "./managed-node.ts";
import { factsOfMetadata, factsOfStatus, type NodeFacts } from "./node-facts.ts";
import { tritonBuckets } from "./triton/triton-buckets.ts";
import { createTritonNode } from "./triton/triton-node.ts";

/** The ways to one server. */
export interface NodeLink {
  readonly client: InferenceNode;
  readonly facts: () => Promise<NodeFacts>;
  /** Calls over gRPC, with the key and, where its address is https, over TLS; `port` where no address was given for them. Connects with the first; whoever asks closes it. */
  readonly grpc: (port: number) => GrpcClient;
  /** Its seconds, one after the other; ends or throws when the connection breaks. */
  readonly buckets: (options: { after?: number; signal: AbortSignal }) => AsyncIterable<SecondBucket>;
}

export interface ConnectOptions extends Pick<NereidClientOptions, "backoff" | "timeoutMs"> {
  readonly clock: Clock;
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** Of one answer: traces of profiles and outputs of models are the largest. */
const MOST_ANSWER_BYTES = 64 * 1024 * 1024;

/** Where gRPC calls go: the address that was given, or else this port of the host of the HTTP one. */
function grpcAddress({ url, grpcUrl }: Pick<NodeSpec, "url" | "grpcUrl">, told: number) {
  if (grpcUrl === null) {
    const { hostname, protocol } = new URL(url);
    return { hostname, protocol, port: told };
  }
  const { hostname, protocol, port } = new URL(grpcUrl);
  return { hostname, protocol, port: port === "" ? (protocol === "https:" ? 443 : 80) : port };
}

/** Calls to a server, by its kind. Nothing is sent until one is made. */
export function connectNode(
  spec: Pick<NodeSpec, "name" | "kind" | "url" | "metricsUrl" | "grpcUrl" | "apiKey">,
  { clock, pause, ...options }: ConnectOptions,
): NodeLink {
  const client = checkedClient(
    new NereidClient({
      baseUrl: spec.url,
      maxAnswerBytes: MOST_ANSWER_BYTES,
      ...(spec.metricsUrl !== null && { metricsUrl: spec.metricsUrl }),
      ...(spec.apiKey !== null && { apiKey: spec.apiKey }),
      ...options,
    }),
  );
  const grpc = (told: number) => {
    const { hostname, protocol, port } = grpcAddress(spec, told);
    return new GrpcClient({
      address: `${hostname}:${port}`,
      maxMessageBytes: MOST_ANSWER_BYTES,
      ...(protocol === "https:" && { tls: {} }),
      ...(spec.apiKey !== null && { apiKey: spec.apiKey }),
    });
  };
  switch (spec.kind) {
    case "nereid":
      return {
        client,
        grpc,
        buckets: (asked) => client.buckets(asked),
        facts: async () => {
          const [status, metadata, ready] = await Promise.all([
            client.serverStatus(),
            client.serverMetadata(),
            client.serverReady(),
          ]);
          return factsOfStatus(status, metadata, ready);
        },
      };
    case "triton":
      return {
        client: createTritonNode(client, spec.name),
        grpc,
        buckets: ({ signal }) => tritonBuckets(client, { clock, pause, signal }),
        facts: async () => {
          const [metadata, ready] = await Promise.all([client.serverMetadata(), client.serverReady()]);
          return factsOfMetadata(metadata, ready);
        },
      };
  }
}
