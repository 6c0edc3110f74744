import type { ErrorCode } from "./error-code.ts";

/**
 * HTTP status of an error class. Triton answers 400 for ALREADY_EXISTS, CANCELLED and UNKNOWN and 501 for UNSUPPORTED;
 * clients depend on it.
 */
const STATUS: Readonly<Record<ErrorCode, number>> = {
  INVALID_ARGUMENT: 400,
  NOT_FOUND: 404,
  ALREADY_EXISTS: 400,
  UNAVAILABLE: 503,
  UNSUPPORTED: 501,
  INTERNAL: 500,
  CANCELLED: 400,
  UNKNOWN: 400,
  METHOD_NOT_ALLOWED: 405,
  PAYLOAD_TOO_LARGE: 413,
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  CONFLICT: 409,
  TOO_MANY_REQUESTS: 429,
};

/** Status code of the V2 HTTP protocol and of the management API for an error class. */
export function toHttpStatus(code: ErrorCode): number {
  return STATUS[code];
}
