/** A value's place in a list; what `push` gives and `remove` takes. */
export interface ListNode<V> {
  readonly value: V;
  list: LinkedList<V> | undefined;
  previous: ListNode<V> | undefined;
  next: ListNode<V> | undefined;
}

/** Values in an order, each removable in constant time. A `Map` walks over its removed entries to find its first one. */
export class LinkedList<V> {
  #first: ListNode<V> | undefined;
  #last: ListNode<V> | undefined;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get first(): V | undefined {
    return this.#first?.value;
  }

  push(value: V): ListNode<V> {
    const node: ListNode<V> = { value, list: this, previous: this.#last, next: undefined };
    if (this.#last === undefined) this.#first = node;
    else this.#last.next = node;
    this.#last = node;
    this.#size += 1;
    return node;
  }

  /** Puts a value before all others. */
  unshift(value: V): ListNode<V> {
    const node: ListNode<V> = { value, list: this, previous: undefined, next: this.#first };
    if (this.#first === undefined) this.#last = node;
    else this.#first.previous = node;
    this.#first = node;
    this.#size += 1;
    return node;
  }

  shift(): V | undefined {
    const node = this.#first;
    if (node !== undefined) this.remove(node);
    return node?.value;
  }

  /** Harmless for a node that is not, or no longer, in this list. */
  remove(node: ListNode<V> | undefined): void {
    if (node === undefined || node.list !== this) return;
    const { previous, next } = node;
    if (previous === undefined) this.#first = next;
    else previous.next = next;
    if (next === undefined) this.#last = previous;
    else next.previous = previous;
    node.list = undefined;
    node.previous = undefined;
    node.next = undefined;
    this.#size -= 1;
  }

  /** The list must not change meanwhile. */
  *[Symbol.iterator](): Generator<V> {
    for (let node = this.#first; node !== undefined; node = node.next) yield node.value;
  }
}
