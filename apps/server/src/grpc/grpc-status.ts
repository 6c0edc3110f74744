import { type GrpcCodeName, NereidError, toGrpcCode } from "@nereid/errors";

/** How a call ends. */
export interface GrpcStatus {
  readonly code: GrpcCodeName;
  readonly message: string;
  /** When it is worth trying again, milliseconds. */
  readonly retryAfterMs?: number | undefined;
}

export const OK: GrpcStatus = { code: "OK", message: "" };

/** Status of whatever was thrown. */
export function statusOf(thrown: unknown): GrpcStatus {
  const { code, message, retryAfterMs, details } = NereidError.from(thrown);
  // The client's own clock would say the same a moment later.
  const late = details["reason"] === "client-deadline";
  return {
    code: late ? "DEADLINE_EXCEEDED" : toGrpcCode(code),
    message,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
}

/** What inference answers while the server ends (grpc.md §3). */
export const SHUTTING_DOWN: GrpcStatus = {
  code: "UNAVAILABLE",
  message: "GRPC server is shutting down and has stopped accepting new requests.",
};
