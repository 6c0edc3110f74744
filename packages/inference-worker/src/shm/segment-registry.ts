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

/** A segment that stays mapped until `release`, though its bytes may change when their owner gives them back. */
export interface SegmentPin {
  readonly buffer: ArrayBuffer;
  release(): void;
}

/**
 * Every live segment of every slab in this process. Ids are never used again, so a runner can be told of a segment that
 * belongs to another runner's slab, and an output of one is the input of the next without a copy.
 */
export class SegmentRegistry {
  readonly #segments = new Map<number, Segment>();
  readonly #ids = new Map<ArrayBufferLike, number>();
  readonly #listeners = new Set<(id: number) => void>();
  readonly #pins = new Map<number, number>();
  /** What closes a segment that is gone for everybody but those who pinned it. */
  readonly #closing = new Map<number, () => void>();
  #nextId = 1;

  /** An id for a segment that is about to be created; it also makes its file's name unique. */
  nextId(): number {
    return this.#nextId++;
  }

  add(id: number, segment: Segment): void {
    this.#segments.set(id, segment);
    this.#ids.set(segment.buffer, id);
  }

  /** Whoever was told of the segment hears that it goes; it is closed as soon as nobody has it pinned. Doing it twice is harmless. */
  remove(id: number): void {
    const segment = this.#segments.get(id);
    if (segment === undefined) return;
    this.#segments.delete(id);
    this.#ids.delete(segment.buffer);
    for (const listener of this.#listeners) listener(id);
    if (this.#pins.has(id)) this.#closing.set(id, () => segment.close());
    else segment.close();
  }

  /** Keeps a live segment mapped for a reader who does not own what he reads; undefined when there is none of this id. */
  pin(id: number): SegmentPin | undefined {
    const segment = this.#segments.get(id);
    if (segment === undefined) return undefined;
    this.#pins.set(id, (this.#pins.get(id) ?? 0) + 1);
    let held = true;
    return {
      buffer: segment.buffer,
      release: () => {
        if (held) this.#unpin(id);
        held = false;
      },
    };
  }

  #unpin(id: number): void {
    const left = (this.#pins.get(id) ?? 1) - 1;
    if (left > 0) {
      this.#pins.set(id, left);
      return;
    }
    this.#pins.delete(id);
    this.#closing.get(id)?.();
    this.#closing.delete(id);
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
