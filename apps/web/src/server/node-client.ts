import { setTimeout as sleep } from "node:timers/promises";
import { NereidClient } from "@nereid/client";
import { processEnv } from "../env.ts";

const LONGEST_BACKOFF_MS = 2_000;

let client: NereidClient | undefined;

/**
 * The client of the data plane. One per bundle and not part of the shared runtime: its errors must be instances of the
 * NereidError class that the code around it knows, and Next gives each of its bundles a copy of that class.
 */
export function getNodeClient(): NereidClient {
  client ??= createNodeClient();
  return client;
}

function createNodeClient(): NereidClient {
  const env = processEnv();
  return new NereidClient({
    baseUrl: env.serverUrl,
    timeoutMs: 10_000,
    backoff: async (attempt, signal) => {
      const ms = Math.min(LONGEST_BACKOFF_MS, 250 * 2 ** (attempt - 1));
      await sleep(ms, undefined, signal === undefined ? {} : { signal });
    },
    ...(env.serverKey === undefined ? {} : { apiKey: env.serverKey }),
  });
}
