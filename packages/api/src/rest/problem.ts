import { type ErrorCode, NereidError } from "@nereid/errors";
import { getHTTPStatusCodeFromError } from "@trpc/server/http";
import { toTrpcError } from "../to-trpc-error.ts";

/** An error as RFC 9457 has it, with our code. */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: ErrorCode;
  readonly fix?: string;
  readonly requestId: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

const TITLES: Readonly<Record<ErrorCode, string>> = {
  INVALID_ARGUMENT: "The request is not valid",
  NOT_FOUND: "Not found",
  ALREADY_EXISTS: "It exists already",
  UNAVAILABLE: "Not available now",
  UNSUPPORTED: "Not supported",
  INTERNAL: "Internal error",
  CANCELLED: "Cancelled",
  UNKNOWN: "Unknown error",
  METHOD_NOT_ALLOWED: "Method not allowed",
  PAYLOAD_TOO_LARGE: "The request is too large",
  UNAUTHENTICATED: "Not signed in",
  FORBIDDEN: "Not allowed",
  CONFLICT: "Conflict",
  TOO_MANY_REQUESTS: "Too many requests",
};

const CODES: Readonly<Record<string, ErrorCode>> = {
  NOT_FOUND: "NOT_FOUND",
  BAD_REQUEST: "INVALID_ARGUMENT",
  PARSE_ERROR: "INVALID_ARGUMENT",
  METHOD_NOT_SUPPORTED: "METHOD_NOT_ALLOWED",
};

/** What to tell of anything that was thrown. Total; words of foreign errors are not passed on. */
export function toProblem(thrown: unknown, requestId: string): Problem {
  const error = toTrpcError(thrown);
  const cause = error.cause instanceof NereidError ? error.cause : undefined;
  const code = cause?.code ?? CODES[error.code] ?? "UNKNOWN";
  // The status of the inference server's answer says nothing that this answer's own does not.
  const { status: _upstream, ...details } = error.message === cause?.message ? cause.details : {};
  return {
    type: `urn:nereid:problem:${code.toLowerCase().replaceAll("_", "-")}`,
    title: TITLES[code],
    status: getHTTPStatusCodeFromError(error),
    detail: error.message,
    code,
    ...(cause?.fix === undefined ? {} : { fix: cause.fix }),
    requestId,
    ...(Object.keys(details).length === 0 ? {} : { details }),
  };
}

/** The answer for anything that was thrown. */
export function problemResponse(
  thrown: unknown,
  requestId: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const problem = toProblem(thrown, requestId);
  return new Response(JSON.stringify(problem), {
    status: problem.status,
    headers: {
      "content-type": "application/problem+json",
      "cache-control": "no-store",
      "x-request-id": requestId,
      ...(problem.status === 401 ? { "www-authenticate": "Bearer" } : {}),
      ...headers,
    },
  });
}
