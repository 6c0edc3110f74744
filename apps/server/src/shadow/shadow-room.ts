import { statfsSync } from "node:fs";
import { freeMemoryBytes } from "@nereid/inference-worker";

/** Bytes that all shadows together keep of requests and answers, copies of what clients sent and got. */
const MOST_BYTES = 64 << 20;
const LEAST_MEMORY = 256 << 20;
const LEAST_SHM = 64 << 20;
const LOOK_AGAIN_MS = 1_000;

export interface ShadowRoomOptions {
  readonly nowMs: () => number;
  /** Bytes that the machine, and its shared memory, still have; undefined where that is not known. */
  readonly free?: () => { readonly memory: number | undefined; readonly shm: number | undefined };
}

/** How much shadows may keep: little, and nothing while the machine has little left. */
export class ShadowRoom {
  readonly #nowMs: () => number;
  readonly #free: NonNullable<ShadowRoomOptions["free"]>;
  #used = 0;
  #short = false;
  #lookedMs = Number.NEGATIVE_INFINITY;

  constructor({ nowMs, free = freeNow }: ShadowRoomOptions) {
    this.#nowMs = nowMs;
    this.#free = free;
  }

  /** Whether there is room; if so it is taken. */
  take(bytes: number): boolean {
    if (this.#used + bytes > MOST_BYTES || this.#isShort()) return false;
    this.#used += bytes;
    return true;
  }

  give(bytes: number): void {
    this.#used -= bytes;
  }

  #isShort(): boolean {
    const nowMs = this.#nowMs();
    if (nowMs - this.#lookedMs < LOOK_AGAIN_MS) return this.#short;
    this.#lookedMs = nowMs;
    const { memory = Number.POSITIVE_INFINITY, shm = Number.POSITIVE_INFINITY } = this.#free();
    this.#short = memory < LEAST_MEMORY || shm < LEAST_SHM;
    return this.#short;
  }
}

function freeNow() {
  return { memory: freeMemoryBytes(), shm: freeShm() };
}

function freeShm(): number | undefined {
  try {
    const { bavail, bsize } = statfsSync("/dev/shm");
    return bavail * bsize;
  } catch {
    return undefined;
  }
}
