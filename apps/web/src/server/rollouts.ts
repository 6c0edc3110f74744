import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { RolloutController, systemClock } from "@nereid/services";
import { logError } from "./log.ts";
import { managedNodes } from "./node-set.ts";
import { getRuntime } from "./runtime.ts";

let controller: RolloutController | undefined;

/** Begins to carry rollouts on; once in the life of the process. Of several processes on one database one does it. */
export function startRollouts(): void {
  controller ??= new RolloutController({
    db: getRuntime().db,
    clock: systemClock,
    holder: randomUUID(),
    nodes: managedNodes,
    pause: (ms, signal) => sleep(ms, undefined, { signal, ref: false }),
    onError: (error) => logError("rollouts", error),
  });
  controller.start();
}

/** Ends it with the process; another one takes over at once. */
export async function stopRollouts(): Promise<void> {
  await controller?.stop();
}
