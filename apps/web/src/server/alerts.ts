import { setTimeout as sleep } from "node:timers/promises";
import { type AlertSending, AlertWatch, findReceiver, postMessage, systemClock } from "@nereid/services";
import { getHistoryReader } from "./history.ts";
import { logError } from "./log.ts";
import { getRuntime } from "./runtime.ts";

/** How messages of alerts leave this process. */
export const alertSending: AlertSending = {
  seal: (secret) => getRuntime().secrets.seal(secret),
  unseal: (sealed) => getRuntime().secrets.open(sealed),
  post: (message) => postMessage(message, { allowInside: getRuntime().env.alertsAllowPrivate }),
  check: (url) => findReceiver(url, { allowInside: getRuntime().env.alertsAllowPrivate }),
};

let watch: AlertWatch | undefined;

/** Begins to look for trouble; once in the life of the process. */
export function startAlerts(): void {
  const { db, env, hubs } = getRuntime();
  watch ??= new AlertWatch({
    db,
    clock: systemClock,
    history: getHistoryReader(),
    nodes: () =>
      hubs.entries.map(({ spec: { id, name }, hub }) => ({
        id,
        name,
        connection: hub.connection,
        machine: (after) => hub.recent(after, undefined, "machine"),
      })),
    unseal: alertSending.unseal,
    post: alertSending.post,
    dashboardUrl: env.publicUrl,
    pause: (ms, signal) => sleep(ms, undefined, { signal, ref: false }),
    onError: (error) => logError("alerts", error),
  });
  watch.start();
}

/** Ends it with the process. */
export async function stopAlerts(): Promise<void> {
  await watch?.stop();
}
