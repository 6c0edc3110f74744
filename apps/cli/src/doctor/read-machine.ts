import { readFileSync, statfsSync } from "node:fs";
import { availableParallelism, totalmem } from "node:os";
import type { Facts } from "./facts.ts";

/** Memory, cores and limits of the machine or container, as Linux tells them. */
export function readMachine(): Pick<Facts, "sharedMemory" | "memoryBytes" | "cores" | "openFiles"> {
  const limit = Number(read("/sys/fs/cgroup/memory.max")?.trim() ?? "");
  return {
    sharedMemory: sharedMemory(),
    memoryBytes: limit > 0 ? Math.min(limit, totalmem()) : totalmem(),
    cores: availableParallelism(),
    openFiles: openFilesOf(read("/proc/self/limits") ?? ""),
  };
}

/** The soft limit out of `/proc/self/limits`; undefined where it is not told. Node itself has raised it to the hard one. */
export function openFilesOf(limits: string): number | undefined {
  const soft = /^Max open files\s+(\S+)/m.exec(limits)?.[1];
  if (soft === undefined) return undefined;
  return soft === "unlimited" ? Number.POSITIVE_INFINITY : Number(soft);
}

function sharedMemory(): Facts["sharedMemory"] {
  try {
    const { blocks, bavail, bsize } = statfsSync("/dev/shm");
    return { totalBytes: blocks * bsize, freeBytes: bavail * bsize };
  } catch {
    return undefined;
  }
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
