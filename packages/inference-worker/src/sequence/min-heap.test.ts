import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type HeapNode, MinHeap } from "./min-heap.ts";

describe("MinHeap", () => {
  it("gives the smallest first, whatever was moved or removed before", () => {
    const step = fc.record({ node: fc.nat(15), key: fc.option(fc.nat(50), { nil: undefined }) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 100 }), (steps) => {
        const heap = new MinHeap<HeapNode>();
        const nodes = Array.from({ length: 16 }, (): HeapNode => ({ heapKey: 0, heapIndex: -1 }));
        const inside = new Map<HeapNode, number>();
        for (const { node: at, key } of steps) {
          const node = nodes[at];
          if (node === undefined) continue;
          if (key === undefined) {
            heap.remove(node);
            inside.delete(node);
          } else {
            heap.set(node, key);
            inside.set(node, key);
          }
          expect(heap.size).toBe(inside.size);
          expect(heap.first?.heapKey).toBe(inside.size === 0 ? undefined : Math.min(...inside.values()));
        }
        const left: number[] = [];
        for (let node = heap.shift(); node !== undefined; node = heap.shift()) left.push(node.heapKey);
        expect(left).toEqual([...inside.values()].sort((a, b) => a - b));
        expect(nodes.every(({ heapIndex }) => heapIndex === -1)).toBe(true);
      }),
    );
  });
});
