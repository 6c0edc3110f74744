import koffi from "koffi";

const PROT_READ_WRITE = 3;
const MAP_SHARED = 1;
const RLIMIT_DATA = 2;
const PR_SET_PDEATHSIG = 1;
const SIGKILL = 9;

type Native = (...args: readonly unknown[]) => unknown;

interface Libc {
  readonly mmap: Native;
  readonly munmap: Native;
  readonly fallocate: Native | undefined;
  readonly setrlimit: Native | undefined;
  readonly prctl: Native | undefined;
}

let loaded: Libc | undefined;

function libc(): Libc {
  if (loaded !== undefined) return loaded;
  const mac = process.platform === "darwin";
  const library = koffi.load(mac ? "libSystem.B.dylib" : "libc.so.6");
  loaded = {
    mmap: library.func("void *mmap(void*, size_t, int, int, int, int64_t)") as Native,
    munmap: library.func("int munmap(void*, size_t)") as Native,
    fallocate: mac ? undefined : (library.func("int posix_fallocate(int, int64_t, int64_t)") as Native),
    setrlimit: mac ? undefined : (library.func("int setrlimit(int, void*)") as Native),
    prctl: mac
      ? undefined
      : (library.func("int prctl(int, unsigned long, unsigned long, unsigned long, unsigned long)") as Native),
  };
  return loaded;
}

export interface Mapping {
  readonly buffer: ArrayBuffer;
  /** Ends the mapping. Touching `buffer` or a view of it afterwards crashes the process. */
  unmap(): void;
}

/** Maps `byteLength` bytes of an open file, shared and writable. Throws when the kernel refuses. */
export function mapShared(fd: number, byteLength: number): Mapping {
  const pointer = libc().mmap(null, byteLength, PROT_READ_WRITE, MAP_SHARED, fd, 0);
  const address = pointer === null ? 0n : BigInt(koffi.address(pointer));
  if (address === 0n || address === 0xffff_ffff_ffff_ffffn || address === -1n) {
    throw new Error(`mmap of ${byteLength} bytes failed (errno ${koffi.errno()})`);
  }
  const buffer = koffi.view(pointer, byteLength);
  return { buffer, unmap: () => void libc().munmap(pointer, byteLength) };
}

/**
 * Commits the file's blocks now. Without it a full tmpfs shows itself as SIGBUS at the first touch of a page, which
 * ends the process; here it is an error number (28 = no space).
 */
export function reserve(fd: number, byteLength: number): number {
  const allocate = libc().fallocate;
  return allocate === undefined ? 0 : Number(allocate(fd, 0, byteLength));
}

/**
 * Limits this process's writable private memory, so that a model that allocates without end gets bad_alloc (an error of
 * one request) before the machine runs out. Returns whether the limit was set.
 */
export function limitPrivateMemory(byteLength: number): boolean {
  const setrlimit = libc().setrlimit;
  if (setrlimit === undefined) return false;
  const limit = new BigUint64Array([BigInt(byteLength), BigInt(byteLength)]);
  return Number(setrlimit(RLIMIT_DATA, limit)) === 0;
}

/** Ends this process when the one that started it ends, whatever either of them does then; also when this one is stopped. Linux only. */
export function dieWithParent(): void {
  libc().prctl?.(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
}
