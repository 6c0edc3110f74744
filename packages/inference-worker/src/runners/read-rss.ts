import { readFileSync } from "node:fs";

const PAGE = 4096;

/** Resident bytes of a runner, the processes it started included, from /proc; undefined where there is no such process or no /proc. */
export function readRssBytes(pid: number): number | undefined {
  return withChildren(pid, residentBytes);
}

/** Highest resident size a runner ever had (VmHWM); that of processes it started is added. */
export function readPeakRssBytes(pid: number): number | undefined {
  return withChildren(pid, peakBytes);
}

function withChildren(pid: number, read: (pid: number) => number | undefined): number | undefined {
  const own = read(pid);
  return own === undefined ? undefined : childrenOf(pid).reduce((sum, child) => sum + (read(child) ?? 0), own);
}

function residentBytes(pid: number): number | undefined {
  const resident = readProc(`${pid}/statm`)?.split(" ")[1];
  return resident === undefined ? undefined : Number(resident) * PAGE;
}

function peakBytes(pid: number): number | undefined {
  const peak = /^VmHWM:\s+(\d+) kB/m.exec(readProc(`${pid}/status`) ?? "")?.[1];
  return peak === undefined ? undefined : Number(peak) * 1024;
}

/** Those its main thread started: a runner that has processes for its instances starts them there. */
function childrenOf(pid: number): readonly number[] {
  const listed = readProc(`${pid}/task/${pid}/children`)?.trim() ?? "";
  return listed === "" ? [] : listed.split(" ").map(Number);
}

function readProc(path: string): string | undefined {
  try {
    return readFileSync(`/proc/${path}`, "latin1");
  } catch {
    return undefined;
  }
}
