import { readFileSync } from "node:fs";
import { totalmem } from "node:os";

/** Bytes of memory this process's machine or container has. */
export function availableMemoryBytes(): number {
  for (const path of ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"]) {
    try {
      const limit = Number(readFileSync(path, "utf8").trim());
      if (Number.isFinite(limit) && limit > 0) return Math.min(limit, totalmem());
    } catch {
      // This cgroup version is not mounted, or "max".
    }
  }
  return totalmem();
}
