/** The closed set of failures. The first eight are Triton's classes (wire contract); the rest are the control plane's. */
export const ERROR_CODES = [
  "INVALID_ARGUMENT",
  "NOT_FOUND",
  "ALREADY_EXISTS",
  "UNAVAILABLE",
  "UNSUPPORTED",
  "INTERNAL",
  "CANCELLED",
  "UNKNOWN",
  "METHOD_NOT_ALLOWED",
  "PAYLOAD_TOO_LARGE",
  "UNAUTHENTICATED",
  "FORBIDDEN",
  "CONFLICT",
  "TOO_MANY_REQUESTS",
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];
