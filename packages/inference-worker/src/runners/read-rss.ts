import { readFileSync } from "node:fs";

const PAGE = 4096;

/** Resident bytes of a process from /proc, undefined where there is no such process or no /proc. */
export function readRssBytes(pid: number): number | undefined {
  try {
    const resident = readFileSync(`/proc/${pid}/statm`, "latin1").split(" ")[1];
    return resident === undefined ? undefined : Number(resident) * PAGE;
  } catch {
    return undefined;
  }
}

/**
 * Private resident bytes of a process: what ending it gives back. Shared libraries and tensor slabs are left out, which
 * RSS counts in every process that maps them.
 */
export function readPrivateBytes(pid: number): number | undefined {
  try {
    const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, "latin1");
    let total = 0;
    for (const match of rollup.matchAll(/^Private_(?:Clean|Dirty|Hugetlb):\s+(\d+) kB/gm))
      total += Number(match[1]) * 1024;
    return total;
  } catch {
    return undefined;
  }
}

/** Highest resident size a process ever had (VmHWM). */
export function readPeakRssBytes(pid: number): number | undefined {
  try {
    const peak = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1];
    return peak === undefined ? undefined : Number(peak) * 1024;
  } catch {
    return undefined;
  }
}
