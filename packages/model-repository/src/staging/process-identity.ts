import { readFileSync } from "node:fs";
import { hostname } from "node:os";

/** A process that a later one can tell from another with the same number. */
export interface ProcessIdentity {
  readonly host: string;
  readonly pid: number;
  /** Start time in clock ticks after boot, empty where the system does not tell. */
  readonly started: string;
}

/** The process that runs this. */
export function ownProcess(): ProcessIdentity {
  return { host: hostname(), pid: process.pid, started: startOf(process.pid) };
}

/** Whether this is the process that runs this. */
export function isOwn(identity: ProcessIdentity): boolean {
  const own = ownProcess();
  return identity.host === own.host && identity.pid === own.pid && identity.started === own.started;
}

/** Whether a process of this machine still runs. One of another machine (another container) counts as gone. */
export function isAlive(identity: ProcessIdentity): boolean {
  if (identity.host !== hostname()) return false;
  try {
    process.kill(identity.pid, 0);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EPERM")) return false;
  }
  return startOf(identity.pid) === identity.started;
}

function startOf(pid: number): string {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name may hold spaces and parentheses; fields are counted behind its last one.
    return text.slice(text.lastIndexOf(")") + 2).split(" ")[19] ?? "";
  } catch {
    return "";
  }
}
