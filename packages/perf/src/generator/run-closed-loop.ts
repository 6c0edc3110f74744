import { setTimeout as pause } from "node:timers/promises";
import type { Lane } from "./lane.ts";
import { AFTER_FAILURE_MS, type LoadRun } from "./load-runner.ts";

/** Keeps one request in flight on every lane for as long as the run wants more. */
export async function runClosedLoop(run: LoadRun, lanes: readonly Lane[]): Promise<void> {
  await Promise.all(
    lanes.map(async (lane) => {
      while (run.wants) {
        const request = run.take();
        if (request === undefined) return;
        if (!(await run.send(lane, request))) await pause(AFTER_FAILURE_MS);
      }
    }),
  );
}
