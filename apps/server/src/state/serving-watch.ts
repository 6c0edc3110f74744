import type { Clock, ModelManager } from "@nereid/inference-worker";

/** Long enough to bridge the pauses of a steady client, short enough that a load goes on soon after the last one. */
const AT_WORK_MS = 1_000;

/** Says whether any model had a request within the last second. Ask it now and then: it compares with what it saw before. */
export function servingWatch(
  manager: () => Pick<ModelManager, "entries">,
  clock: Pick<Clock, "wallMs">,
): () => boolean {
  let executions = 0;
  let sinceMs = Number.NEGATIVE_INFINITY;
  return () => {
    let now = 0;
    let pending = 0;
    for (const { versions } of manager().entries)
      for (const { served } of versions.values()) {
        pending += served?.statistics.pending ?? 0;
        for (const instance of served?.instanceStates ?? []) now += instance.executions;
      }
    if (pending > 0 || now > executions) sinceMs = clock.wallMs();
    executions = now;
    return clock.wallMs() - sinceMs < AT_WORK_MS;
  };
}
