import { fromGrpcCode, grpcCodeName, NereidError } from "@nereid/errors";
import { decodeGrpcMessage } from "@nereid/grpc";

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/**
 * The failure that a status stands for; undefined for OK and where there is no status yet. `details.grpcStatus` names the status, for
 * those that no error class has (a passed deadline is UNAVAILABLE).
 */
export function errorOfTrailers(trailers: Headers): NereidError | undefined {
  const status = one(trailers["grpc-status"]);
  if (status === undefined || status === "0") return undefined;
  const grpcStatus = grpcCodeName(Number(status));
  const text = decodeGrpcMessage(one(trailers["grpc-message"]) ?? "");
  const retryAfterMs = Number(one(trailers["grpc-retry-pushback-ms"]) ?? Number.NaN);
  return new NereidError(fromGrpcCode(grpcStatus), text === "" ? grpcStatus : text, {
    details: { grpcStatus },
    ...(retryAfterMs > 0 && { retryAfterMs }),
  });
}

/** Whether the server itself said this, and not the way to it, or a time limit. */
export function isAnswer(error: unknown): boolean {
  if (!(error instanceof NereidError)) return false;
  const { grpcStatus } = error.details;
  return typeof grpcStatus === "string" && grpcStatus !== "DEADLINE_EXCEEDED";
}

export function one(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}
