import { join } from "node:path";
import { FreeList } from "./free-list.ts";
import { createSegment, type Segment } from "./segment.ts";

/** A piece of shared memory that holds tensors of one execution until it is released. */
export interface SlabBlock {
  readonly segment: number;
  readonly offset: number;
  readonly byteLength: number;
  /** View on the block's bytes in this process; invalid after release. */
  readonly bytes: Uint8Array;
  release(): void;
}

export interface SlabSegmentInfo {
  readonly id: number;
  readonly path: string;
  readonly byteLength: number;
}

interface Held {
  readonly id: number;
  readonly segment: Segment;
  readonly free: FreeList;
  idleSweeps: number;
}

const FIRST_SEGMENT = 1 << 20;
const SWEEPS_UNTIL_DROP = 3;

/**
 * The shared memory between the server and one runner: a few files that both map. Grows by whole segments, gives a
 * segment back after it stood empty for three sweeps; so memory follows load and a burst does not stay resident.
 */
export class Slab {
  readonly #directory: string;
  readonly #prefix: string;
  #segments: Held[] = [];
  #nextId = 1;
  #closed = false;

  constructor(directory: string, prefix: string) {
    this.#directory = directory;
    this.#prefix = prefix;
  }

  allocate(byteLength: number): SlabBlock {
    if (this.#closed) throw new Error("slab is closed");
    for (const held of this.#segments) {
      const offset = held.free.take(byteLength);
      if (offset !== undefined) return this.#block(held, offset, byteLength);
    }
    const held = this.#grow(byteLength);
    const offset = held.free.take(byteLength);
    if (offset === undefined)
      throw new Error(`a new segment of ${held.segment.byteLength} bytes cannot hold ${byteLength}`);
    return this.#block(held, offset, byteLength);
  }

  /** Where bytes lie when they are a view of this slab's memory: what came in through `allocate` needs no copy. */
  locate(bytes: Uint8Array): { readonly segment: number; readonly offset: number } | undefined {
    const held = this.#segments.find(({ segment }) => segment.buffer === bytes.buffer);
    return held && { segment: held.id, offset: bytes.byteOffset };
  }

  describe(id: number): SlabSegmentInfo | undefined {
    const held = this.#segments.find((candidate) => candidate.id === id);
    return held && { id, path: held.segment.path, byteLength: held.segment.byteLength };
  }

  /** Drops segments that stood empty for a while, but the first. Returns the ids dropped, for the runner to forget. */
  sweep(): readonly number[] {
    const dropped: number[] = [];
    this.#segments = this.#segments.filter((held, index) => {
      held.idleSweeps = held.free.usedBytes === 0 ? held.idleSweeps + 1 : 0;
      if (index === 0 || held.idleSweeps < SWEEPS_UNTIL_DROP) return true;
      held.segment.close();
      dropped.push(held.id);
      return false;
    });
    return dropped;
  }

  /** Bytes of all segments together. */
  get byteLength(): number {
    return this.#segments.reduce((sum, held) => sum + held.segment.byteLength, 0);
  }

  /** Unmaps what is free now; a segment whose blocks are still being sent to a client goes with its last block. */
  close(): void {
    this.#closed = true;
    this.#segments = this.#segments.filter((held) => {
      if (held.free.usedBytes > 0) return true;
      held.segment.close();
      return false;
    });
  }

  #grow(byteLength: number): Held {
    const wanted = Math.max(FIRST_SEGMENT, 2 ** Math.ceil(Math.log2(byteLength + 64)));
    const id = this.#nextId++;
    const segment = createSegment(join(this.#directory, `${this.#prefix}-${id}`), wanted);
    const held: Held = { id, segment, free: new FreeList(wanted), idleSweeps: 0 };
    this.#segments.push(held);
    return held;
  }

  #block(held: Held, offset: number, byteLength: number): SlabBlock {
    let live = true;
    return {
      segment: held.id,
      offset,
      byteLength,
      bytes: new Uint8Array(held.segment.buffer, offset, byteLength),
      release: () => {
        if (!live) return;
        live = false;
        held.free.give(offset, byteLength);
        if (this.#closed && held.free.usedBytes === 0) held.segment.close();
      },
    };
  }
}
