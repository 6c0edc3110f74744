import type { LoadWindow } from "./load-window.ts";
import { phaseMeanUs, type ServerCounters } from "./server-figures.ts";

/** Where the time of a request went, means in microseconds. */
export interface ClientTimes {
  readonly sendUs: number;
  readonly waitUs: number;
  readonly receiveUs: number;
}

/** The client's side: writing the request, waiting for the first byte, reading the rest. Pure. */
export function clientTimes({ requests }: LoadWindow): ClientTimes {
  let [sendMs, waitMs, receiveMs] = [0, 0, 0];
  for (const { startMs, sentMs, firstMs, endMs } of requests) {
    sendMs += sentMs - startMs;
    waitMs += firstMs - sentMs;
    receiveMs += Math.max(0, endMs - firstMs);
  }
  const perRequest = requests.length === 0 ? 0 : 1000 / requests.length;
  return { sendUs: sendMs * perRequest, waitUs: waitMs * perRequest, receiveUs: receiveMs * perRequest };
}

/** Waiting that the model does not account for: network, kernel, the server's front end. At least 0. Pure. */
export function networkUs(times: ClientTimes, server: ServerCounters): number {
  const phases = ["queue", "computeInput", "computeInfer", "computeOutput", "cacheHit", "cacheMiss"] as const;
  const inModel = phases.reduce((sum, phase) => sum + phaseMeanUs(server, phase), 0);
  return Math.max(0, times.waitUs - inModel);
}
