import koffi from "koffi";
import { affinityOf, processorsOf, setAffinity } from "../loading/thread-scheduling.ts";

type Native = (...args: readonly unknown[]) => unknown;

const RLIMIT_CORE = 4;

let prlimit: Native | undefined;

/** No core dump: it would hold requests of clients. Linux only; a process that is gone is left alone. */
export function forbidCoreDumps(pid: number): boolean {
  if (process.platform !== "linux" || pid === 0) return false;
  prlimit ??= koffi.load("libc.so.6").func("int prlimit(int, int, void*, void*)") as Native;
  return Number(prlimit(pid, RLIMIT_CORE, new BigUint64Array(2), null)) === 0;
}

let turn = 0;

/**
 * Confines a process that was just started, and all it will start, to so many of the processors it may use; one model after the other gets the
 * next ones in turn. Whether it is so confined.
 */
export function limitProcessors(pid: number, count: number): boolean {
  if (process.platform !== "linux" || pid === 0) return false;
  const mask = affinityOf(pid);
  if (mask === undefined) return false;
  const processors = processorsOf(mask);
  if (count >= processors.length) return true;
  const limited = new Uint8Array(mask.byteLength);
  for (let at = 0; at < count; at++) {
    const processor = processors[(turn + at) % processors.length] ?? 0;
    limited[processor >> 3] = (limited[processor >> 3] ?? 0) | (1 << (processor & 7));
  }
  turn = (turn + count) % processors.length;
  return setAffinity(pid, limited);
}
