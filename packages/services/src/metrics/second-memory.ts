import type { SecondBucket } from "@nereid/client";
import { type PackedSecond, packSecond, type SecondView, unpackSecond } from "./packed-second.ts";
import type { SeriesFilter } from "./series-filter.ts";

interface Remembered {
  readonly packed: PackedSecond;
  /** The second as it came, for as long as it is among the newest. */
  fresh: SecondBucket | undefined;
}

export interface SecondMemoryOptions {
  /** Seconds remembered. */
  readonly capacity: number;
  /** Newest seconds kept as objects, too: live figures look at all of their series again and again. */
  readonly fresh?: number;
}

export interface SecondQuestion {
  /** Only seconds later than this one… */
  readonly after: number;
  /** …and not later than this one. */
  readonly until?: number;
  /** Everything when it is absent. The newest seconds may bring more series than were asked for. */
  readonly view?: SecondView | undefined;
}

/** Models that somebody looked at last; each keeps what was read for it, so that many viewers of one model cost one. */
const MOST_VIEWS = 8;

/** The last seconds of a node: as objects they would take most of a gigabyte with 200 busy models on 20 nodes. */
export class SecondMemory {
  readonly #capacity: number;
  readonly #fresh: number;
  readonly #seconds: Remembered[] = [];
  readonly #views = new Map<string, Map<PackedSecond, SecondBucket>>();

  constructor({ capacity, fresh = 75 }: SecondMemoryOptions) {
    this.#capacity = capacity;
    this.#fresh = fresh;
  }

  /** The newest second; undefined before the first. */
  get newest(): number | undefined {
    return this.#seconds.at(-1)?.packed.t;
  }

  /** Remembers a second that is later than all others; answers false, and forgets it, when it is not. */
  push(bucket: SecondBucket): boolean {
    if (bucket.t <= (this.newest ?? Number.NEGATIVE_INFINITY)) return false;
    this.#seconds.push({ packed: packSecond(bucket), fresh: bucket });
    const stale = this.#seconds.at(-1 - this.#fresh);
    if (stale !== undefined) stale.fresh = undefined;
    if (this.#seconds.length > this.#capacity) {
      const gone = this.#seconds.shift();
      if (gone !== undefined) for (const view of this.#views.values()) view.delete(gone.packed);
    }
    return true;
  }

  /** Seconds as functions that read them, oldest first: who takes long over them need not hold all of them. */
  find({ after, until = Number.POSITIVE_INFINITY, view }: SecondQuestion): (() => SecondBucket)[] {
    const first = this.#seconds.findLastIndex(({ packed }) => packed.t <= after) + 1;
    const last = this.#seconds.findLastIndex(({ packed }) => packed.t <= until);
    return this.#seconds.slice(first, last + 1).map((one) => () => this.#read(one, view));
  }

  #read({ packed, fresh }: Remembered, view: SecondView | undefined): SecondBucket {
    // All models together are added up in the packed second only.
    if (fresh !== undefined && view !== "all models") return fresh;
    if (typeof view !== "object") return unpackSecond(packed, view);
    const known = this.#view(view);
    const there = known.get(packed);
    if (there !== undefined) return there;
    const bucket = unpackSecond(packed, view);
    known.set(packed, bucket);
    return bucket;
  }

  #view(view: SeriesFilter): Map<PackedSecond, SecondBucket> {
    const key = `${view.version ?? "*"}/${view.model}`;
    const there = this.#views.get(key) ?? new Map<PackedSecond, SecondBucket>();
    this.#views.delete(key);
    this.#views.set(key, there);
    for (const old of this.#views.keys()) {
      if (this.#views.size <= MOST_VIEWS) break;
      this.#views.delete(old);
    }
    return there;
  }
}
