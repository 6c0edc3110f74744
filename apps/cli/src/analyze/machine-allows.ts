import { readFileSync } from "node:fs";
import { cpus, freemem } from "node:os";
import type { TuningGuard, TuningSkip } from "@nereid/perf";
import { idleProcessorsMeter } from "../perf/idle-processors.ts";

const LOOK_MS = 250;
const LOOKS = 20;
const MB = 2 ** 20;
const LOOK_AT_IDLE_MS = 500;

/** Waits until this machine has memory and processors to spare; says why where it does not come to that. */
export async function machineAllows(
  guard: TuningGuard,
  pause: (ms: number) => Promise<void>,
): Promise<TuningSkip | undefined> {
  const freeMb = availableMb();
  if (freeMb < guard.freeMemoryMb)
    return {
      why: `only ${freeMb.toFixed(0)} MB of memory are free, less than ${guard.freeMemoryMb}`,
      fix: "free memory, or lower the memory that must stay free",
    };
  let busy = 0;
  for (let look = 0; look < LOOKS; look++) {
    const idle = idleProcessorsMeter();
    await pause(LOOK_MS);
    busy = 1 - idle() / cpus().length;
    if (busy <= guard.busyShare) return undefined;
  }
  return {
    why: `the processors are ${(busy * 100).toFixed(0)} % busy with other work`,
    fix: "wait until the machine is quieter, or raise the share that may be busy",
  };
}

/** What others, such as the load on the served model, leave of so many processors; at least half of one. */
export async function freeProcessors(processors: number, pause: (ms: number) => Promise<void>): Promise<number> {
  const idle = idleProcessorsMeter();
  await pause(LOOK_AT_IDLE_MS);
  return Math.min(processors, Math.max(0.5, (idle() / cpus().length) * processors));
}

/** Free and reclaimable, as Linux reckons it. */
function availableMb(): number {
  try {
    const [, kb] = /^MemAvailable:\s+(\d+) kB/m.exec(readFileSync("/proc/meminfo", "latin1")) ?? [];
    return kb === undefined ? freemem() / MB : Number(kb) / 1024;
  } catch {
    return freemem() / MB;
  }
}
