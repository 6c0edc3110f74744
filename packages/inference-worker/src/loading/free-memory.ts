import { readFileSync } from "node:fs";

/** Text of a file; undefined where there is none. */
export type ReadText = (path: string) => string | undefined;

/**
 * Bytes that processes of this machine or container can still take without anything being killed: what the kernel says is available,
 * and what the cgroup has left, its file cache included. Undefined where neither is known.
 */
export function freeMemoryBytes(read: ReadText = readIfThere): number | undefined {
  const known = [machineFree(read), cgroupFree(read)].filter((bytes) => bytes !== undefined);
  return known.length === 0 ? undefined : Math.max(0, Math.min(...known));
}

function machineFree(read: ReadText): number | undefined {
  const available = /^MemAvailable:\s+(\d+) kB/m.exec(read("/proc/meminfo") ?? "")?.[1];
  return available === undefined ? undefined : Number(available) * 1024;
}

function cgroupFree(read: ReadText): number | undefined {
  const unified = "/sys/fs/cgroup";
  const old = `${unified}/memory`;
  for (const [limitFile, usedFile, statFile, cache] of [
    [`${unified}/memory.max`, `${unified}/memory.current`, `${unified}/memory.stat`, /^inactive_file (\d+)/m],
    [
      `${old}/memory.limit_in_bytes`,
      `${old}/memory.usage_in_bytes`,
      `${old}/memory.stat`,
      /^total_inactive_file (\d+)/m,
    ],
  ] as const) {
    const limit = Number.parseInt(read(limitFile) ?? "", 10);
    const used = Number.parseInt(read(usedFile) ?? "", 10);
    if (Number.isNaN(limit) || Number.isNaN(used)) continue;
    return limit - used + Number(cache.exec(read(statFile) ?? "")?.[1] ?? 0);
  }
  return undefined;
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
