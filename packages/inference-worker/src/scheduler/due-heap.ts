interface Placed {
  place?: { dueIndex: number } | undefined;
}

interface Entry<T> {
  readonly item: T;
  readonly dueNs: number;
  readonly serial: number;
}

/**
 * Requests by the moment something is due for them, the nearest first, of those due at the same moment the one added first;
 * any of them can be taken out.
 */
export class DueHeap<T extends Placed> {
  readonly #entries: Entry<T>[] = [];
  #serial = 0;

  get size(): number {
    return this.#entries.length;
  }

  /** Infinity when nothing is due ever. */
  get nearestNs(): number {
    const first = this.#entries[0];
    return first === undefined ? Number.POSITIVE_INFINITY : first.dueNs;
  }

  /** The item that is due first. */
  get nearest(): T | undefined {
    return this.#entries[0]?.item;
  }

  add(item: T, dueNs: number): void {
    this.#rise(this.#entries.length, { item, dueNs, serial: this.#serial++ });
  }

  remove(item: T): void {
    const index = item.place?.dueIndex ?? -1;
    if (index < 0 || this.#entries[index]?.item !== item) return;
    if (item.place !== undefined) item.place.dueIndex = -1;
    const last = this.#entries.pop();
    if (last !== undefined && last.item !== item) this.#rise(this.#sink(index, last), last);
  }

  #put(index: number, entry: Entry<T>): void {
    this.#entries[index] = entry;
    if (entry.item.place !== undefined) entry.item.place.dueIndex = index;
  }

  #rise(from: number, entry: Entry<T>): void {
    let index = from;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      const above = this.#entries[parent];
      if (above === undefined || !isBefore(entry, above)) break;
      this.#put(index, above);
      index = parent;
    }
    this.#put(index, entry);
  }

  /** Lets the hole at `from` sink to where the entry may stand, and says where. */
  #sink(from: number, entry: Entry<T>): number {
    let index = from;
    for (;;) {
      const left = this.#entries[2 * index + 1];
      const right = this.#entries[2 * index + 2];
      const isRight = left !== undefined && right !== undefined && isBefore(right, left);
      const child = isRight ? right : left;
      if (child === undefined || !isBefore(child, entry)) return index;
      this.#put(index, child);
      index = 2 * index + (isRight ? 2 : 1);
    }
  }
}

function isBefore<T>(a: Entry<T>, b: Entry<T>): boolean {
  return a.dueNs < b.dueNs || (a.dueNs === b.dueNs && a.serial < b.serial);
}
