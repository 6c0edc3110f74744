import { readdirSync, readFileSync } from "node:fs";

/**
 * Ends what models of a killed server started and nobody ended: processes whose environment still names a runner's socket in one of
 * these directories. Linux only; what cannot be read is another user's, and left alone.
 */
export function endOrphans(directories: readonly string[]): void {
  if (directories.length === 0 || process.platform !== "linux") return;
  const marks = directories.map((directory) => `\0NEREID_RUNNER_SOCKET=${directory}/`);
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) continue;
    try {
      const environment = `\0${readFileSync(`/proc/${name}/environ`, "latin1")}`;
      if (marks.some((mark) => environment.includes(mark))) process.kill(Number(name), "SIGKILL");
    } catch {
      // It has ended, or is not ours.
    }
  }
}
