import { readdirSync } from "node:fs";
import koffi from "koffi";
import { MOST_CORES } from "./core-list.ts";

const MASK_BYTES = MOST_CORES / 8;
const MOST_ROUNDS = 8;

type SetAffinity = (thread: number, byteLength: number, mask: Uint8Array) => number;

let loaded: SetAffinity | undefined;

function setAffinity(): SetAffinity {
  loaded ??= koffi.load("libc.so.6").func("int sched_setaffinity(int, size_t, void*)") as SetAffinity;
  return loaded;
}

/**
 * Lets all threads of a process run on these cores only; threads they start later inherit it. Throws where the kernel refuses, and on
 * systems other than Linux. A process that has ended meanwhile is no error.
 */
export function bindToCores(pid: number, cores: readonly number[]): void {
  if (process.platform !== "linux") throw new Error("only Linux binds processes to cores");
  const mask = maskOf(cores);
  const bound = new Set<number>();
  // A thread may start others while we read: once more until all are known.
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const fresh = threadsOf(pid).filter((thread) => !bound.has(thread));
    if (fresh.length === 0) return;
    for (const thread of fresh) {
      bound.add(thread);
      if (setAffinity()(thread, mask.byteLength, mask) === 0) continue;
      const errno = koffi.errno();
      if (errno === koffi.os.errno["ESRCH"]) continue;
      throw new Error(`the system refused to bind process ${pid} to cores ${cores.join(",")} (errno ${errno})`);
    }
  }
}

/** Bit n of byte m is core 8 m + n: what the kernel takes, on little-endian machines. */
function maskOf(cores: readonly number[]): Uint8Array {
  const mask = new Uint8Array(MASK_BYTES);
  for (const core of cores) mask[core >> 3] = (mask[core >> 3] ?? 0) | (1 << (core & 7));
  return mask;
}

function threadsOf(pid: number): readonly number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map(Number);
  } catch {
    return [];
  }
}
