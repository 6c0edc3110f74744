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

/** Highest resident size a process ever had (VmHWM). */
export function readPeakRssBytes(pid: number): number | undefined {
  try {
    const peak = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1];
    return peak === undefined ? undefined : Number(peak) * 1024;
  } catch {
    return undefined;
  }
}
