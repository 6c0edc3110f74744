import {
  HealthCheckRequestSchema,
  HealthCheckResponseSchema,
  ModelReadyRequestSchema,
  ModelReadyResponseSchema,
  parseModelVersion,
  ServerLiveRequestSchema,
  ServerLiveResponseSchema,
  ServerReadyRequestSchema,
  ServerReadyResponseSchema,
  HealthCheckResponse_ServingStatus as ServingStatus,
} from "@nereid/grpc";
import { modelReady, serverLive, serverReady } from "../../handlers/health.ts";
import { type UnaryRpc, unary } from "../rpc.ts";

/** `grpc.health.v1.Health/Check`: the service it names does not matter (grpc.md §1). */
export const HEALTH_CHECK: UnaryRpc = unary({
  name: "Check",
  category: "health",
  request: HealthCheckRequestSchema,
  response: HealthCheckResponseSchema,
  serve: ({ server }) => ({ status: serverReady(server) ? ServingStatus.SERVING : ServingStatus.NOT_SERVING }),
});

export const HEALTH_RPCS: readonly UnaryRpc[] = [
  unary({
    name: "ServerLive",
    category: "health",
    request: ServerLiveRequestSchema,
    response: ServerLiveResponseSchema,
    serve: ({ server }) => ({ live: serverLive(server) }),
  }),
  unary({
    name: "ServerReady",
    category: "health",
    request: ServerReadyRequestSchema,
    response: ServerReadyResponseSchema,
    serve: ({ server }) => ({ ready: serverReady(server) }),
  }),
  unary({
    name: "ModelReady",
    category: "health",
    request: ModelReadyRequestSchema,
    response: ModelReadyResponseSchema,
    serve: async ({ server }, { name, version }) => ({
      ready: await modelReady(server, name, parseModelVersion(version)),
    }),
  }),
];
