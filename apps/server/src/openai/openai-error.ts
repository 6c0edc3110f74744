import type { ServerResponse } from "node:http";
import { type ErrorCode, NereidError, toHttpStatus } from "@nereid/errors";
import { headersOf, sendBuffer } from "../http/http-error.ts";

const TYPES: Partial<Readonly<Record<ErrorCode, string>>> = {
  INTERNAL: "server_error",
  UNKNOWN: "server_error",
  UNAVAILABLE: "server_error",
  UNAUTHENTICATED: "authentication_error",
  FORBIDDEN: "permission_error",
  TOO_MANY_REQUESTS: "rate_limit_error",
};

/** An error as clients of OpenAI's API expect it. `details.param` and `details.code` of the error are told as they are. */
export function openaiErrorBody(thrown: unknown): Buffer {
  const { code, message, details } = NereidError.from(thrown);
  const text = (value: unknown) => (typeof value === "string" ? value : null);
  const error = {
    message,
    type: TYPES[code] ?? "invalid_request_error",
    param: text(details["param"]),
    code: text(details["code"]),
  };
  return Buffer.from(JSON.stringify({ error }));
}

/** Answers with the error's HTTP status; when the answer has begun, the connection ends. */
export function sendOpenaiError(response: ServerResponse, thrown: unknown): void {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const error = NereidError.from(thrown);
  const headers = { "Content-Type": "application/json", ...headersOf(error) };
  sendBuffer(response, openaiErrorBody(error), { status: toHttpStatus(error.code), headers });
}

/** INVALID_ARGUMENT about one member of the body. */
export function badParameter(param: string, message: string): NereidError {
  return new NereidError("INVALID_ARGUMENT", message, { details: { param } });
}
