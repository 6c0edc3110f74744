import type { SegmentInfo } from "../runner-protocol/messages.ts";
import { openSegment, type Segment } from "../shm/segment.ts";

/** The shared-memory files an instance has been told of, by the server's segment id; each is mapped when first used. */
export class SegmentMap {
  readonly #announced = new Map<number, SegmentInfo>();
  readonly #mapped = new Map<number, Segment>();

  learn(segments: readonly SegmentInfo[]): void {
    for (const segment of segments) this.#announced.set(segment.id, segment);
  }

  forget(ids: readonly number[]): void {
    for (const id of ids) {
      this.#announced.delete(id);
      this.#mapped.get(id)?.close();
      this.#mapped.delete(id);
    }
  }

  bufferOf(id: number): ArrayBuffer {
    const mapped = this.#mapped.get(id);
    if (mapped !== undefined) return mapped.buffer;
    const announced = this.#announced.get(id);
    if (announced === undefined) throw new Error(`segment ${id} was not announced`);
    const segment = openSegment(announced.path, announced.byteLength);
    this.#mapped.set(id, segment);
    return segment.buffer;
  }
}
