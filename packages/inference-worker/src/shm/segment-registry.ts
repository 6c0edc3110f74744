import type { Segment } from "./segment.ts";

export interface SlabSegmentInfo {
  readonly id: number;
  readonly path: string;
  readonly byteLength: number;
}

/** Where bytes lie in shared memory. */
export interface SegmentLocation {
  readonly segment: number;
  readonly offset: number;
}

/**
 * Every live segment of every slab in this process. Ids are never used again, so a runner can be told of a segment that
 * belongs to another runner's slab, and an output of one is the input of the next without a copy.
 */
export class SegmentRegistry {
  readonly #segments = new Map<number, Segment>();
  readonly #ids = new Map<ArrayBufferLike, number>();
  readonly #listeners = new Set<(id: number) => void>();
  #nextId = 1;

  /** An id for a segment that is about to be created; it also makes its file's name unique. */
  nextId(): number {
    return this.#nextId++;
  }

  add(id: number, segment: Segment): void {
    this.#segments.set(id, segment);
    this.#ids.set(segment.buffer, id);
  }

  /** The segment is about to be unmapped; whoever was told of it hears that now. Doing it twice is harmless. */
  remove(id: number): void {
    const segment = this.#segments.get(id);
    if (segment === undefined) return;
    this.#segments.delete(id);
    this.#ids.delete(segment.buffer);
    for (const listener of this.#listeners) listener(id);
  }

  describe(id: number): SlabSegmentInfo | undefined {
    const segment = this.#segments.get(id);
    return segment && { id, path: segment.path, byteLength: segment.byteLength };
  }

  /** Where bytes lie when they are a view of any live segment: those need no copy. O(1). */
  locate(bytes: Uint8Array): SegmentLocation | undefined {
    const segment = this.#ids.get(bytes.buffer);
    return segment === undefined ? undefined : { segment, offset: bytes.byteOffset };
  }

  /** Calls back with the id of each segment that goes from now on. Returns what ends that. */
  subscribe(dropped: (id: number) => void): () => void {
    this.#listeners.add(dropped);
    return () => void this.#listeners.delete(dropped);
  }
}

/** The registry of this process. */
export const segmentRegistry = new SegmentRegistry();
