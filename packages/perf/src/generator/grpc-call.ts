import { decodeGrpcMessage } from "@nereid/grpc";
import { hostAndPort, type LoadTarget } from "./load-spec.ts";

/** Headers of every call of a load. */
export function callHeaders(target: LoadTarget): Record<string, string> {
  const { compression, headers, streaming } = target;
  return {
    ":method": "POST",
    ":scheme": "http",
    ":authority": hostAndPort(target),
    ":path": `/inference.GRPCInferenceService/${streaming ? "ModelStreamInfer" : "ModelInfer"}`,
    "content-type": "application/grpc",
    te: "trailers",
    ...(compression !== "none" && { "grpc-encoding": compression }),
    ...headers,
  };
}

export type Trailers = ReadonlyMap<string, string>;

/** Why a call failed; undefined = its status is OK. */
export function statusError(trailers: Trailers): string | undefined {
  const status = trailers.get("grpc-status");
  if (status === "0") return undefined;
  if (status === undefined) return "the server closed the call without a status";
  return `gRPC status ${status}: ${decodeGrpcMessage(trailers.get("grpc-message") ?? "")}`;
}
