interface Placed {
  place?: { position: number } | undefined;
}

/** Below so many holes a list is not worth rewriting. */
const FEW = 32;

/**
 * First-in first-out list with removal of any item at its position, all in amortised constant time. Whoever leaves leaves a
 * hole; holes are closed when they outnumber the items, and the positions in the items' places are set anew.
 */
export class RequestQueue<T extends Placed> {
  #slots: (T | undefined)[] = [];
  #head = 0;
  /** Position of the first slot. */
  #base = 0;
  #length = 0;

  /** Items that wait. */
  get length(): number {
    return this.#length;
  }

  /** Slots to read with `slot`, holes included. */
  get extent(): number {
    return this.#slots.length - this.#head;
  }

  /** What stands in a slot, counted from the front; undefined for a hole. */
  slot(index: number): T | undefined {
    return this.#slots[this.#head + index];
  }

  /** Appends the item and returns its position. */
  push(item: T): number {
    this.#length += 1;
    return this.#base + this.#slots.push(item) - 1;
  }

  get(position: number): T | undefined {
    return this.#slots[position - this.#base];
  }

  /** Takes the item at a position out. */
  remove(position: number): void {
    const index = position - this.#base;
    if (this.#slots[index] === undefined) return;
    // A place that is passed must not keep a request, whose tensors may be large, until the list is shortened.
    this.#slots[index] = undefined;
    this.#length -= 1;
    if (index === this.#head) this.#passHoles();
    else if (this.extent - this.#length > this.#length + FEW) this.#close();
  }

  #passHoles(): void {
    const { length } = this.#slots;
    do this.#head += 1;
    while (this.#head < length && this.#slots[this.#head] === undefined);
    if (this.#head > 2 * FEW && this.#head * 2 > length) {
      this.#slots = this.#slots.slice(this.#head);
      this.#base += this.#head;
      this.#head = 0;
    }
  }

  #close(): void {
    this.#base += this.#slots.length;
    this.#slots = this.#slots.filter((item) => item !== undefined);
    this.#head = 0;
    this.#slots.forEach((item, index) => {
      if (item?.place !== undefined) item.place.position = this.#base + index;
    });
  }
}
