import { Readable } from "node:stream";
import type { ReadableStream as NodeStream } from "node:stream/web";
import { NereidError } from "@nereid/errors";
import { rawUpload } from "./raw-uploads.ts";
import { sendUpload } from "./send-upload.ts";

const PUBLIC_BASE = "/api/v1/uploads";
const SERVER_BASE = "/nereid/v1/uploads";

/** What tus 1.0.0 says in headers, one way and the other. */
const REQUEST_HEADERS = [
  "tus-resumable",
  "upload-length",
  "upload-defer-length",
  "upload-metadata",
  "upload-offset",
  "upload-checksum",
  "upload-concat",
  "content-type",
  "content-length",
];
const ANSWER_HEADERS = [
  "tus-resumable",
  "tus-version",
  "tus-extension",
  "tus-max-size",
  "upload-offset",
  "upload-length",
  "upload-metadata",
  "upload-expires",
  "cache-control",
  "content-type",
];

export interface UploadTarget {
  /** V2 HTTP port of the data plane. */
  readonly serverUrl: string;
  readonly serverKey: string | undefined;
}

/**
 * Passes a tus request on to the data plane and its answer back. The body flows through piece by piece; when the client goes away,
 * so does the request to the data plane, which keeps what has arrived. Throws UNAVAILABLE when that does not answer.
 */
export async function passUpload(request: Request, { serverUrl, serverKey }: UploadTarget): Promise<Response> {
  const { pathname } = new URL(request.url);
  const id = pathname.slice(PUBLIC_BASE.length);
  if (!pathname.startsWith(PUBLIC_BASE) || !/^(\/[A-Za-z0-9_-]{1,100})?$/.test(id))
    throw new NereidError("NOT_FOUND", "there is no such upload");
  const headers = pick(request.headers, REQUEST_HEADERS);
  if (serverKey !== undefined) headers.set("authorization", `Bearer ${serverKey}`);
  let answer: Response;
  try {
    answer = await sendUpload({
      url: `${serverUrl.replace(/\/+$/, "")}${SERVER_BASE}${id}`,
      method: request.method,
      headers,
      body: bodyOf(request),
      signal: request.signal,
    });
  } catch (cause) {
    if (request.signal.aborted)
      throw new NereidError("CANCELLED", "the upload was broken off by its sender", { cause });
    throw new NereidError("UNAVAILABLE", "the inference server did not take the upload", {
      fix: "go on with the upload when the server is back; what has arrived is kept",
      cause,
    });
  }
  const back = pick(answer.headers, ANSWER_HEADERS);
  const location = answer.headers.get("location");
  if (location !== null) back.set("location", publicLocation(location));
  return new Response(answer.body, { status: answer.status, headers: back });
}

/** What is still to be read of the request: from its socket where it came through this process's server. */
function bodyOf({ headers, body }: Request): Readable | null {
  if (body === null) return null;
  // Node's types and the browser's differ in the same class.
  return rawUpload(headers) ?? Readable.fromWeb(body as NodeStream<Uint8Array>);
}

/** The address at which the browser goes on: the data plane's own is not reachable for it. */
export function publicLocation(location: string): string {
  const { pathname } = new URL(location, "http://server.invalid");
  return `${PUBLIC_BASE}/${pathname.split("/").at(-1) ?? ""}`;
}

function pick(from: Headers, names: readonly string[]): Headers {
  const picked = new Headers();
  for (const name of names) {
    const value = from.get(name);
    if (value !== null) picked.set(name, value);
  }
  return picked;
}
