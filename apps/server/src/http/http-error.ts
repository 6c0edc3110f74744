import type { ServerResponse } from "node:http";
import { NereidError, toHttpStatus } from "@nereid/errors";

/** Answers with an error: Triton's `{"error": text}`; management routes add the code and the fix. */
export function sendError(
  response: ServerResponse,
  thrown: unknown,
  options: { readonly management?: boolean } = {},
): void {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const error = NereidError.from(thrown);
  const body = options.management === true ? managementBody(error) : { error: error.message };
  const headers: Record<string, string> = { "Content-Type": "application/json" };
  for (const [name, value] of Object.entries(headersOf(error))) headers[name] = value;
  sendBuffer(response, Buffer.from(JSON.stringify(body)), { status: toHttpStatus(error.code), headers });
}

export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends a whole body in one write. */
export function sendBuffer(response: ServerResponse, body: Uint8Array, reply: Reply): void {
  const headers: string[] = ["Content-Length", String(body.byteLength)];
  for (const [name, value] of Object.entries(reply.headers ?? {})) headers.push(name, value);
  response.writeHead(reply.status, headers);
  response.end(body);
}

export function sendJson(response: ServerResponse, text: string): void {
  sendBuffer(response, Buffer.from(text), { status: 200, headers: { "Content-Type": "application/json" } });
}

function managementBody({ message, code, fix, details }: NereidError) {
  const { headers: _headers, ...rest } = details;
  const said = Object.keys(rest).length > 0;
  return { error: message, code, ...(fix !== undefined && { fix }), ...(said && { details: rest }) };
}

/** Headers an error asks for, such as `Accept-Encoding` with an unsupported compression. */
export function headersOf(error: NereidError): Readonly<Record<string, string>> {
  const headers = error.details["headers"];
  const given = headers !== null && typeof headers === "object" ? (headers as Readonly<Record<string, string>>) : {};
  if (error.retryAfterMs === undefined) return given;
  // Whole seconds are all that HTTP has for it; clients of ours read the exact time.
  return {
    ...given,
    "Retry-After": String(Math.max(1, Math.ceil(error.retryAfterMs / 1000))),
    "retry-after-ms": String(Math.max(1, Math.ceil(error.retryAfterMs))),
  };
}
