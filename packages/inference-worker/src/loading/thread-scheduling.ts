import koffi from "koffi";

type Native = (...args: readonly unknown[]) => unknown;

/** Numbers of the system calls that the C library has no function for. */
const IOPRIO_SET: Readonly<Record<string, number>> = {
  x64: 251,
  arm64: 30,
  riscv64: 30,
  ia32: 289,
  ppc64: 273,
  s390x: 282,
};
const IOPRIO_WHO_PROCESS = 1;
const IOPRIO_CLASS_SHIFT = 13;
const IOPRIO_CLASS_IDLE = 3;
/** Room for 1024 processors. */
const MASK_BYTES = 128;

interface Libc {
  readonly getaffinity: Native;
  readonly setaffinity: Native;
  readonly syscall: Native;
}

let loaded: Libc | undefined;

function libc(): Libc {
  if (loaded !== undefined) return loaded;
  const library = koffi.load("libc.so.6");
  loaded = {
    getaffinity: library.func("int sched_getaffinity(int, size_t, void*)") as Native,
    setaffinity: library.func("int sched_setaffinity(int, size_t, void*)") as Native,
    syscall: library.func("long syscall(long, int, int, int)") as Native,
  };
  return loaded;
}

/** The processors a thread may run on, as the kernel's bit mask; undefined when the thread is gone. Linux only. */
export function affinityOf(tid: number): Uint8Array | undefined {
  const mask = new Uint8Array(MASK_BYTES);
  return Number(libc().getaffinity(tid, MASK_BYTES, mask)) < 0 ? undefined : mask;
}

/** Whether the thread has it now. */
export function setAffinity(tid: number, mask: Uint8Array): boolean {
  return Number(libc().setaffinity(tid, MASK_BYTES, mask)) === 0;
}

/** Reads and writes of the thread wait for everybody else's, or no longer do. Whether the kernel agreed. */
export function setIoPriority(tid: number, how: "idle" | "normal"): boolean {
  const number = IOPRIO_SET[process.arch];
  if (number === undefined) return false;
  const priority = how === "idle" ? IOPRIO_CLASS_IDLE << IOPRIO_CLASS_SHIFT : 0;
  return Number(libc().syscall(number, IOPRIO_WHO_PROCESS, tid, priority)) === 0;
}

/** The processors of a mask, ascending. */
export function processorsOf(mask: Uint8Array): readonly number[] {
  return [...mask].flatMap((byte, index) =>
    [0, 1, 2, 3, 4, 5, 6, 7].filter((bit) => (byte & (1 << bit)) !== 0).map((bit) => index * 8 + bit),
  );
}

/** A quarter of the processors, the last ones, at least one: where a load may work without being in anybody's way everywhere. */
export function cornerOf(mask: Uint8Array): Uint8Array {
  const processors = processorsOf(mask);
  const corner = new Uint8Array(mask.byteLength);
  for (const processor of processors.slice(-Math.max(1, Math.floor(processors.length / 4))))
    corner[processor >> 3] = (corner[processor >> 3] ?? 0) | (1 << (processor & 7));
  return corner;
}
