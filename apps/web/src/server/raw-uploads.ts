import { randomUUID } from "node:crypto";
import { subscribe } from "node:diagnostics_channel";
import type { IncomingMessage } from "node:http";

const HEADER = "x-nereid-raw-upload";
const PREFIX = "/api/v1/uploads";
const KEY = Symbol.for("nereid.web.raw-uploads");

/** On globalThis, because Next bundles routes and start-up separately. */
function kept(): Map<string, IncomingMessage> {
  const holder = globalThis as { [KEY]?: Map<string, IncomingMessage> };
  holder[KEY] ??= new Map();
  return holder[KEY];
}

/**
 * Keeps Node's own request of every upload until it ends, for the route to find. A route handler gets the body as a web stream, through
 * which each byte is copied three times into buffers that are collected late: 2 GiB took 100 MiB of memory that way.
 */
export function keepRawUploads(): void {
  subscribe("http.server.request.start", (message) => {
    // What Node publishes on this channel.
    const { request } = message as { readonly request: IncomingMessage };
    delete request.headers[HEADER];
    if (request.url?.startsWith(PREFIX) !== true) return;
    const id = randomUUID();
    request.headers[HEADER] = id;
    kept().set(id, request);
    request.once("close", () => kept().delete(id));
  });
}

/** Node's request behind the one that a route handler was given; undefined when it is gone. Nothing of its body has been read. */
export function rawUpload(headers: Headers): IncomingMessage | undefined {
  return kept().get(headers.get(HEADER) ?? "");
}
