import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { request as secureRequest } from "node:https";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

/** What the data plane says of an upload is a line or a problem, never more. */
const MOST_ANSWER_BYTES = 64 << 10;

export interface UploadCall {
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
  readonly body: Readable | null;
  readonly signal: AbortSignal;
}

/** Sends a request whose body flows through socket to socket; answers with what came back. Throws what the connection threw. */
export async function sendUpload({ url, method, headers, body, signal }: UploadCall): Promise<Response> {
  const send = url.startsWith("https:") ? secureRequest : request;
  const outgoing = send(url, { method, headers: Object.fromEntries(headers), signal });
  const answered = once(outgoing, "response", { signal }) as Promise<[IncomingMessage]>;
  const sent = body === null ? Promise.resolve(outgoing.end()) : pipeline(body, outgoing, { signal });
  // A refusal may come before the body is through, which then breaks off: the answer counts, not the break.
  const failed = sent.then(
    () => new Promise<never>(() => undefined),
    (error: unknown) => Promise.race([answered.then(() => new Promise<never>(() => undefined)), Promise.reject(error)]),
  );
  const [incoming] = await Promise.race([answered, failed]);
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of incoming as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes > MOST_ANSWER_BYTES) break;
    pieces.push(piece);
  }
  const status = incoming.statusCode ?? 502;
  const text = status === 204 || status === 304 || method === "HEAD" ? null : Buffer.concat(pieces);
  return new Response(text, { status, headers: headersOf(incoming) });
}

function headersOf({ headersDistinct }: IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, values] of Object.entries(headersDistinct)) {
    for (const value of values ?? []) headers.append(name, value);
  }
  return headers;
}
