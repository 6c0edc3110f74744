import { closeSync, constants, fstatSync, openSync, readSync, writeSync } from "node:fs";

const DIRECTORY = "/dev/shm";
// Without O_NONBLOCK a named pipe in the directory would hold the server up until somebody opens its other end.
const HOW = constants.O_RDWR | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * A POSIX shared-memory object of a client, as an open file. It is read and written, never mapped: a client that shrinks a mapped
 * object would end the server with SIGBUS.
 */
export class RegionFile {
  #fd: number;

  private constructor(fd: number) {
    this.#fd = fd;
  }

  /** `name` without slashes; undefined when there is no such object, or it is no plain file. */
  static open(name: string): RegionFile | undefined {
    if (name === "" || name.includes("/") || name.includes("\0")) return undefined;
    let fd: number;
    try {
      fd = openSync(`${DIRECTORY}/${name}`, HOW);
    } catch {
      return undefined;
    }
    if (fstatSync(fd).isFile()) return new RegionFile(fd);
    closeSync(fd);
    return undefined;
  }

  /** Bytes the object has now. */
  get byteSize(): number {
    return fstatSync(this.#fd).size;
  }

  /** Fills `target` from `position` on; false when the object ends before. */
  read(target: Uint8Array, position: number): boolean {
    let done = 0;
    while (done < target.byteLength) {
      const got = readSync(this.#fd, target, done, target.byteLength - done, position + done);
      if (got === 0) return false;
      done += got;
    }
    return true;
  }

  /** Writes all of `bytes` at `position`; the caller has seen that they fit. Throws the system's error when memory is full. */
  write(bytes: Uint8Array, position: number): void {
    let done = 0;
    while (done < bytes.byteLength) {
      done += writeSync(this.#fd, bytes, done, bytes.byteLength - done, position + done);
    }
  }

  close(): void {
    if (this.#fd === -1) return;
    closeSync(this.#fd);
    this.#fd = -1;
  }
}
