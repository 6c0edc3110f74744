import { subscribe } from "node:diagnostics_channel";
import type { IncomingMessage } from "node:http";

/**
 * The address that a request came from, as far as it can be believed. Anybody can send X-Forwarded-For; only the last entry of a trusted
 * proxy's is its own.
 */
export function clientAddress(
  forwarded: string | undefined,
  remote: string | undefined,
  trustProxy: boolean,
): string | undefined {
  if (!trustProxy || forwarded === undefined) return remote;
  return forwarded.split(",").at(-1)?.trim() || remote;
}

/**
 * Puts the believable address into X-Forwarded-For of every request that this process receives, before anything reads it: route
 * handlers do not see the socket. Without a trusted proxy what the client said of itself is replaced.
 */
export function stampClientAddress({ trustProxy }: { readonly trustProxy: boolean }): void {
  subscribe("http.server.request.start", (message) => {
    // What Node publishes on this channel.
    const { request } = message as { readonly request: IncomingMessage };
    const said = request.headers["x-forwarded-for"];
    const forwarded = Array.isArray(said) ? said.join(",") : said;
    const address = clientAddress(forwarded, request.socket.remoteAddress, trustProxy);
    if (address === undefined) delete request.headers["x-forwarded-for"];
    else request.headers["x-forwarded-for"] = address;
  });
}
