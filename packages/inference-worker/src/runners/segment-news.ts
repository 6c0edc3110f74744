import type { SegmentInfo, TensorPlace } from "../runner-protocol/messages.ts";
import { type SegmentRegistry, segmentRegistry } from "../shm/segment-registry.ts";

/** Which segments, of any slab of this process, one instance has been told of, and which of those it should forget. */
export class SegmentNews {
  readonly #registry: SegmentRegistry;
  readonly #known = new Set<number>();
  readonly #unsubscribe: () => void;
  #forget: number[] = [];

  constructor(registry = segmentRegistry) {
    this.#registry = registry;
    this.#unsubscribe = registry.subscribe((id) => {
      if (this.#known.delete(id)) this.#forget.push(id);
    });
  }

  /** The segments of these places that the instance does not know yet, as a member of a message. */
  announce(places: Iterable<TensorPlace>): { readonly segments?: readonly SegmentInfo[] } {
    let segments: SegmentInfo[] | undefined;
    for (const { segment } of places) {
      if (this.#known.has(segment)) continue;
      const info = this.#registry.describe(segment);
      if (info === undefined) continue;
      this.#known.add(segment);
      segments ??= [];
      segments.push(info);
    }
    return segments === undefined ? {} : { segments };
  }

  /** What to forget, as a member of the next execution's message; told once. */
  takeForget(): { readonly forget?: readonly number[] } {
    if (this.#forget.length === 0) return {};
    const forget = this.#forget;
    this.#forget = [];
    return { forget };
  }

  close(): void {
    this.#unsubscribe();
  }
}
