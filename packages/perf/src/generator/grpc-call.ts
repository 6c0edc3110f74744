import type { ClientHttp2Session, OutgoingHttpHeaders } from "node:http2";
import { decodeGrpcMessage } from "@nereid/grpc";
import { nowMs } from "./clock.ts";
import type { Answer } from "./lane.ts";
import type { LoadTarget } from "./load-spec.ts";

/** Headers of a call of the inference service. */
export function headersFor({ compression, headers }: LoadTarget, method: string): OutgoingHttpHeaders {
  return {
    ...headers,
    ":method": "POST",
    ":path": `/inference.GRPCInferenceService/${method}`,
    "content-type": "application/grpc",
    te: "trailers",
    ...(compression !== "none" && { "grpc-encoding": compression }),
  };
}

/** Waits for a connection that is being made. Rejects when the server is not reached. */
export async function connected(session: ClientHttp2Session): Promise<void> {
  if (!session.connecting) return;
  await new Promise<void>((resolve, reject) => {
    session.once("connect", () => resolve());
    session.once("error", reject);
    session.once("close", () => reject(new Error("the server closed the connection")));
  });
}

export type Trailers = Readonly<Record<string, unknown>>;

/** Why a call failed; undefined = its status is OK. */
export function statusError(trailers: Trailers): string | undefined {
  const status = trailers["grpc-status"];
  if (status === "0") return undefined;
  if (status === undefined) return "the server closed the call without a status";
  return `gRPC status ${status}: ${decodeGrpcMessage(String(trailers["grpc-message"] ?? ""))}`;
}

/** The answer to a request that was never sent. */
export function failure(error: string): Answer {
  const endMs = nowMs();
  return { sentMs: endMs, firstMs: endMs, endMs, responsesMs: [], outputTokens: 0, error };
}
