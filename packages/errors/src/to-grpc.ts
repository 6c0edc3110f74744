import type { ErrorCode } from "./error-code.ts";

/** Status codes of gRPC by name. */
export const GRPC_CODES = {
  OK: 0,
  CANCELLED: 1,
  UNKNOWN: 2,
  INVALID_ARGUMENT: 3,
  DEADLINE_EXCEEDED: 4,
  NOT_FOUND: 5,
  ALREADY_EXISTS: 6,
  PERMISSION_DENIED: 7,
  RESOURCE_EXHAUSTED: 8,
  FAILED_PRECONDITION: 9,
  ABORTED: 10,
  OUT_OF_RANGE: 11,
  UNIMPLEMENTED: 12,
  INTERNAL: 13,
  UNAVAILABLE: 14,
  DATA_LOSS: 15,
  UNAUTHENTICATED: 16,
} as const;

export type GrpcCodeName = keyof typeof GRPC_CODES;

/** The first eight are Triton's (http.md §1); clients depend on them. */
const TO_GRPC: Readonly<Record<ErrorCode, GrpcCodeName>> = {
  INVALID_ARGUMENT: "INVALID_ARGUMENT",
  NOT_FOUND: "NOT_FOUND",
  ALREADY_EXISTS: "ALREADY_EXISTS",
  UNAVAILABLE: "UNAVAILABLE",
  UNSUPPORTED: "UNIMPLEMENTED",
  INTERNAL: "INTERNAL",
  CANCELLED: "CANCELLED",
  UNKNOWN: "UNKNOWN",
  METHOD_NOT_ALLOWED: "UNIMPLEMENTED",
  PAYLOAD_TOO_LARGE: "RESOURCE_EXHAUSTED",
  UNAUTHENTICATED: "UNAUTHENTICATED",
  FORBIDDEN: "PERMISSION_DENIED",
  CONFLICT: "ABORTED",
  TOO_MANY_REQUESTS: "RESOURCE_EXHAUSTED",
};

const FROM_GRPC: Readonly<Record<GrpcCodeName, ErrorCode>> = {
  OK: "INTERNAL",
  CANCELLED: "CANCELLED",
  UNKNOWN: "UNKNOWN",
  INVALID_ARGUMENT: "INVALID_ARGUMENT",
  DEADLINE_EXCEEDED: "UNAVAILABLE",
  NOT_FOUND: "NOT_FOUND",
  ALREADY_EXISTS: "ALREADY_EXISTS",
  PERMISSION_DENIED: "FORBIDDEN",
  RESOURCE_EXHAUSTED: "PAYLOAD_TOO_LARGE",
  FAILED_PRECONDITION: "INVALID_ARGUMENT",
  ABORTED: "CONFLICT",
  OUT_OF_RANGE: "INVALID_ARGUMENT",
  UNIMPLEMENTED: "UNSUPPORTED",
  INTERNAL: "INTERNAL",
  UNAVAILABLE: "UNAVAILABLE",
  DATA_LOSS: "INTERNAL",
  UNAUTHENTICATED: "UNAUTHENTICATED",
};

const NAMES: ReadonlyMap<number, GrpcCodeName> = new Map(
  (Object.keys(GRPC_CODES) as GrpcCodeName[]).map((name) => [GRPC_CODES[name], name]),
);

/** gRPC status of an error class. */
export function toGrpcCode(code: ErrorCode): GrpcCodeName {
  return TO_GRPC[code];
}

/** Name of a status number; UNKNOWN for one that gRPC does not have. */
export function grpcCodeName(number: number): GrpcCodeName {
  return NAMES.get(number) ?? "UNKNOWN";
}

/** The nearest error class of a status that a server answered. */
export function fromGrpcCode(name: GrpcCodeName): ErrorCode {
  return FROM_GRPC[name];
}
