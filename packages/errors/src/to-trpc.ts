import type { ErrorCode } from "./error-code.ts";

const TRPC = {
  INVALID_ARGUMENT: "BAD_REQUEST",
  NOT_FOUND: "NOT_FOUND",
  ALREADY_EXISTS: "CONFLICT",
  UNAVAILABLE: "SERVICE_UNAVAILABLE",
  UNSUPPORTED: "NOT_IMPLEMENTED",
  INTERNAL: "INTERNAL_SERVER_ERROR",
  CANCELLED: "CLIENT_CLOSED_REQUEST",
  UNKNOWN: "INTERNAL_SERVER_ERROR",
  METHOD_NOT_ALLOWED: "METHOD_NOT_SUPPORTED",
  PAYLOAD_TOO_LARGE: "PAYLOAD_TOO_LARGE",
  UNAUTHENTICATED: "UNAUTHORIZED",
  FORBIDDEN: "FORBIDDEN",
  CONFLICT: "CONFLICT",
  TOO_MANY_REQUESTS: "TOO_MANY_REQUESTS",
} as const satisfies Readonly<Record<ErrorCode, string>>;

export type TrpcCode = (typeof TRPC)[ErrorCode];

/** tRPC code of an error class (control plane only). */
export function toTrpcCode(code: ErrorCode): TrpcCode {
  return TRPC[code];
}
