import { lookup } from "node:dns/promises";
import http from "node:http";
import https from "node:https";
import { isIP } from "node:net";
import { NereidError } from "@nereid/errors";
import { isPublicAddress } from "./public-address.ts";

export interface Message {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface PostOptions {
  /** Addresses inside may be reached too: for receivers in one's own network. */
  readonly allowInside: boolean;
  readonly timeoutMs?: number;
  readonly resolve?: (host: string) => Promise<readonly string[]>;
}

const resolveAll = async (host: string) => (await lookup(host, { all: true })).map(({ address }) => address);

/**
 * Sends a message to a web hook. The address is resolved once, checked, and the connection goes to that very address, so that a name cannot
 * be turned inside in between; redirects are not followed. Answers the status; rejects with UNAVAILABLE when there is none, and
 * with FORBIDDEN for an address inside.
 */
export async function postMessage(message: Message, options: PostOptions): Promise<number> {
  const { allowInside, timeoutMs = 10_000, resolve = resolveAll } = options;
  const url = new URL(message.url);
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    throw new NereidError("INVALID_ARGUMENT", `messages cannot be sent over ${url.protocol}`, {
      fix: "use http or https",
    });
  }
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const addresses = isIP(host) === 0 ? await resolve(host).catch(() => []) : [host];
  const [address] = addresses;
  if (address === undefined) throw new NereidError("UNAVAILABLE", `the name ${host} cannot be resolved`);
  if (!allowInside && !addresses.every(isPublicAddress)) {
    throw new NereidError("FORBIDDEN", `${host} is an address inside (${address}), which messages are not sent to`, {
      fix: "set NEREID_ALERTS_ALLOW_PRIVATE=1 for receivers in your own network",
    });
  }
  return send(url, { ...message, address, timeoutMs });
}

interface Sending extends Message {
  readonly address: string;
  readonly timeoutMs: number;
}

function send(url: URL, { address, timeoutMs, headers, body }: Sending): Promise<number> {
  const client = url.protocol === "https:" ? https : http;
  return new Promise((resolve, reject) => {
    const fail = (why: string) => reject(new NereidError("UNAVAILABLE", `${url.origin} ${why}`));
    const request = client.request(
      url,
      {
        method: "POST",
        headers: { ...headers, "content-length": Buffer.byteLength(body) },
        agent: false,
        signal: AbortSignal.timeout(timeoutMs),
        lookup: (_name, { all }, done) => {
          const family = isIP(address);
          if (all === true) done(null, [{ address, family }]);
          else done(null, address, family);
        },
      },
      (response) => {
        // What is answered is of no interest; reading it without end would be.
        response.destroy();
        resolve(response.statusCode ?? 0);
      },
    );
    request.once("error", (error) =>
      fail(
        error.name === "AbortError" || error.name === "TimeoutError"
          ? `did not answer within ${timeoutMs / 1000} s`
          : `could not be reached: ${error.message}`,
      ),
    );
    request.end(body);
  });
}
