import type { Slab, SlabBlock } from "../shm/slab.ts";
import { once } from "./shared-blocks.ts";

const SMALLEST = 32 << 10;
const LARGEST = 16 << 20;
/** Idle clients that announce bodies must not fill the shared memory. */
const MOST_AT_ONCE = 64 << 20;

/** Shared memory to receive request bodies in, so that a lone request needs no copy. */
export class BodyRoom {
  #reserved = 0;

  /**
   * Room for a body. Undefined for bodies that are too small to matter or too large to reserve on a client's word, and while
   * enough is reserved already.
   */
  reserve(slab: Slab, byteLength: number): SlabBlock | undefined {
    if (byteLength < SMALLEST || byteLength > LARGEST || this.#reserved + byteLength > MOST_AT_ONCE) return undefined;
    const block = slab.allocate(byteLength);
    this.#reserved += byteLength;
    const release = once(() => {
      block.release();
      this.#reserved -= byteLength;
    });
    return { ...block, release };
  }
}
