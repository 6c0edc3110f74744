import { decodeGrpcMessage } from "@nereid/grpc";
import { hostAndPort, type LoadTarget } from "./load-spec.ts";

/** Headers of every call of a load; those that were asked for win. */
export function callHeaders(target: LoadTarget): Record<string, string> {
  const { compression, headers, streaming } = target;
  const asked = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  return {
    ":method": "POST",
    ":scheme": "http",
    ":authority": hostAndPort(target),
    ":path": `/inference.GRPCInferenceService/${streaming ? "ModelStreamInfer" : "ModelInfer"}`,
    "content-type": "application/grpc",
    te: "trailers",
    ...(compression !== "none" && { "grpc-encoding": compression }),
    ...Object.fromEntries(asked),
  };
}

type Headers = ReadonlyMap<string, string>;

/** The headers of an answer and, where they came, its trailers. */
export class CallStatus {
  #first: Headers | undefined;
  #last: Headers | undefined;

  note(headers: Headers): void {
    this.#first ??= headers;
    this.#last = headers;
  }

  /** Why the call failed; undefined = its status is OK. */
  get error(): string | undefined {
    const status = this.#last?.get("grpc-status");
    if (status === "0") return undefined;
    if (status !== undefined)
      return `gRPC status ${status}: ${decodeGrpcMessage(this.#last?.get("grpc-message") ?? "")}`;
    const http = this.#first?.get(":status") ?? "200";
    return http === "200" ? "the server closed the call without a status" : `HTTP status ${http}`;
  }
}
