/** Taken entries that are kept until they are half of all: giving them free costs as much as all that are left. */
const MOST_TAKEN = 1024;

/** First in, first out. `shift()` of an array moves all that is behind, which takes a millisecond once there are millions. */
export class WaitingLine<T> {
  #entries: T[] = [];
  #taken = 0;

  get length(): number {
    return this.#entries.length - this.#taken;
  }

  push(entry: T): void {
    this.#entries.push(entry);
  }

  /** The one that came first; undefined when nobody waits. */
  shift(): T | undefined {
    if (this.length === 0) return undefined;
    const entry = this.#entries[this.#taken++];
    if (this.#taken > MOST_TAKEN && 2 * this.#taken > this.#entries.length) {
      this.#entries = this.#entries.slice(this.#taken);
      this.#taken = 0;
    }
    return entry;
  }
}
