import type { SegmentInfo } from "../runner-protocol/messages.ts";
import { openSegment, type Segment } from "../shm/segment.ts";

/** The shared-memory files an instance has mapped, by the server's segment id. */
export class SegmentMap {
  readonly #segments = new Map<number, Segment>();

  learn(segments: readonly SegmentInfo[]): void {
    for (const { id, path, byteLength } of segments) {
      if (!this.#segments.has(id)) this.#segments.set(id, openSegment(path, byteLength));
    }
  }

  forget(ids: readonly number[]): void {
    for (const id of ids) {
      this.#segments.get(id)?.close();
      this.#segments.delete(id);
    }
  }

  bufferOf(id: number): ArrayBuffer {
    const segment = this.#segments.get(id);
    if (segment === undefined) throw new Error(`segment ${id} was not announced`);
    return segment.buffer;
  }
}
