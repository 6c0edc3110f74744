/** A node knows where it lies in the heap, so that it can leave from the middle. */
export interface HeapNode {
  /** Change it with `MinHeap.set` only. */
  heapKey: number;
  /** -1 outside the heap. */
  heapIndex: number;
}

/** Binary heap by `heapKey`, smallest first; all changes in logarithmic time. */
export class MinHeap<N extends HeapNode> {
  readonly #nodes: N[] = [];

  get size(): number {
    return this.#nodes.length;
  }

  get first(): N | undefined {
    return this.#nodes[0];
  }

  /** Adds the node, or moves it to the place its new key asks for. */
  set(node: N, key: number): void {
    if (node.heapIndex === -1) {
      node.heapIndex = this.#nodes.length;
      this.#nodes.push(node);
    }
    node.heapKey = key;
    this.#settle(node);
  }

  shift(): N | undefined {
    const [first] = this.#nodes;
    if (first !== undefined) this.remove(first);
    return first;
  }

  /** Harmless for a node outside the heap. */
  remove(node: N): void {
    const at = node.heapIndex;
    if (at === -1) return;
    node.heapIndex = -1;
    const last = this.#nodes.pop();
    if (last === undefined || last === node) return;
    this.#put(last, at);
    this.#settle(last);
  }

  #settle(node: N): void {
    this.#rise(node);
    this.#sink(node);
  }

  #rise(node: N): void {
    for (;;) {
      const above = this.#nodes[(node.heapIndex - 1) >> 1];
      if (node.heapIndex === 0 || above === undefined || above.heapKey <= node.heapKey) return;
      this.#swap(above, node);
    }
  }

  #sink(node: N): void {
    for (;;) {
      const left = this.#nodes[node.heapIndex * 2 + 1];
      const right = this.#nodes[node.heapIndex * 2 + 2];
      const least = right !== undefined && left !== undefined && right.heapKey < left.heapKey ? right : left;
      if (least === undefined || node.heapKey <= least.heapKey) return;
      this.#swap(node, least);
    }
  }

  #swap(one: N, other: N): void {
    const at = one.heapIndex;
    this.#put(one, other.heapIndex);
    this.#put(other, at);
  }

  #put(node: N, at: number): void {
    this.#nodes[at] = node;
    node.heapIndex = at;
  }
}
