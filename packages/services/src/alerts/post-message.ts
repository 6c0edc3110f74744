import http from "node:http";
import https from "node:https";
import { isIP } from "node:net";
import { NereidError } from "@nereid/errors";
import { findReceiver, type ReceiverOptions } from "./find-receiver.ts";

export interface Message {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Sends a message to a web hook. The address is resolved once, checked, and the connection goes to that very address, so that a name cannot
 * be turned inside in between; redirects are not followed. Answers the status; rejects with UNAVAILABLE when there is none in time
 * (10 s by default, for the name and for the answer), and with FORBIDDEN for an address inside.
 */
export async function postMessage(message: Message, options: ReceiverOptions): Promise<number> {
  const { timeoutMs = 10_000 } = options;
  const url = new URL(message.url);
  const address = await findReceiver(url, options);
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
