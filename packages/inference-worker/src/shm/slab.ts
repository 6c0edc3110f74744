import { join } from "node:path";
import { FreeList } from "./free-list.ts";
import { createSegment, type Segment } from "./segment.ts";
import { type SegmentLocation, type SegmentRegistry, segmentRegistry } from "./segment-registry.ts";

/** A piece of shared memory that holds tensors of one execution until it is released. */
export interface SlabBlock {
  readonly segment: number;
  readonly offset: number;
  readonly byteLength: number;
  /** View on the block's bytes in this process; invalid after release. */
  readonly bytes: Uint8Array;
  release(): void;
}

export interface SlabOptions {
  readonly registry?: SegmentRegistry;
  readonly owner?: { readonly uid: number; readonly gid: number } | undefined;
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
 * The shared memory that the server divides for one runner: a few files that both map; other runners map them when they are
 * given a tensor in them. Grows by whole segments, gives a segment back after it stood empty for three sweeps; so memory follows
 * load and a burst does not stay resident.
 */
export class Slab {
  readonly #directory: string;
  readonly #prefix: string;
  readonly #registry: SegmentRegistry;
  readonly #owner: SlabOptions["owner"];
  #segments: Held[] = [];
  #closed = false;

  /** `owner`: the user that the runner runs as, where that is not the server's. */
  constructor(directory: string, prefix: string, { registry = segmentRegistry, owner }: SlabOptions = {}) {
    this.#directory = directory;
    this.#prefix = prefix;
    this.#registry = registry;
    this.#owner = owner;
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

  /** Where bytes lie when they are a view of this slab's memory or of another live slab's: those need no copy. */
  locate(bytes: Uint8Array): SegmentLocation | undefined {
    return this.#registry.locate(bytes);
  }

  /** Drops segments that stood empty for a while, but the first. Returns the ids dropped. */
  sweep(): readonly number[] {
    const dropped: number[] = [];
    this.#segments = this.#segments.filter((held, index) => {
      held.idleSweeps = held.free.usedBytes === 0 ? held.idleSweeps + 1 : 0;
      if (index === 0 || held.idleSweeps < SWEEPS_UNTIL_DROP) return true;
      this.#drop(held);
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
      this.#drop(held);
      return false;
    });
  }

  #grow(byteLength: number): Held {
    const wanted = Math.max(FIRST_SEGMENT, 2 ** Math.ceil(Math.log2(byteLength + 64)));
    const id = this.#registry.nextId();
    const segment = createSegment(join(this.#directory, `${this.#prefix}-${id}`), wanted, this.#owner);
    const held: Held = { id, segment, free: new FreeList(wanted), idleSweeps: 0 };
    this.#segments.push(held);
    this.#registry.add(id, segment);
    return held;
  }

  #drop(held: Held): void {
    this.#registry.remove(held.id);
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
        if (this.#closed && held.free.usedBytes === 0) this.#drop(held);
      },
    };
  }
}
