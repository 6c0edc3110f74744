import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";

/**
 * Runs `task` while one lowest-priority loop for each processor keeps it from sleeping. On a virtual machine waking a sleeping
 * processor costs more than a small request; this takes that out of the measurement.
 */
export async function keepAwake<T>(task: () => Promise<T>): Promise<T> {
  const loops = Array.from({ length: availableParallelism() }, () =>
    spawn("nice", ["-n", "19", process.execPath, "-e", "for (;;);"], { stdio: "ignore" }),
  );
  try {
    return await task();
  } finally {
    for (const loop of loops) loop.kill("SIGKILL");
  }
}
