import type { QueueView, Waiting } from "./decide-batch.ts";

/** First-in first-out queue with removal from the middle; amortised constant time at both ends. */
export class RequestQueue<T extends Waiting> implements QueueView {
  #items: (T | undefined)[] = [];
  #head = 0;

  get length(): number {
    return this.#items.length - this.#head;
  }

  at(index: number): T | undefined {
    return this.#items[this.#head + index];
  }

  push(item: T): void {
    this.#items.push(item);
  }

  take(count: number): T[] {
    const taken: T[] = [];
    const end = Math.min(this.#head + count, this.#items.length);
    for (let index = this.#head; index < end; index++) {
      const item = this.#items[index];
      if (item !== undefined) taken.push(item);
      // A place that is passed must not keep a request, whose tensors may be large, until the list is shortened.
      this.#items[index] = undefined;
    }
    this.#head = end;
    if (this.#head > 64 && this.#head * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#head);
      this.#head = 0;
    }
    return taken;
  }

  /** Removes and returns every item that matches, keeping the order of the rest. */
  remove(matches: (item: T) => boolean): T[] {
    const removed: T[] = [];
    const kept: T[] = [];
    for (let index = this.#head; index < this.#items.length; index++) {
      const item = this.#items[index];
      if (item !== undefined) (matches(item) ? removed : kept).push(item);
    }
    if (removed.length > 0) {
      this.#items = kept;
      this.#head = 0;
    }
    return removed;
  }
}
