import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DueHeap } from "./due-heap.ts";

interface Item {
  readonly dueNs: number;
  readonly place: { dueIndex: number };
}

describe("DueHeap", () => {
  it("always has the nearest in front, whichever are taken out", () => {
    const step = fc.oneof(
      fc.record({ action: fc.constant("add" as const), dueNs: fc.nat({ max: 1000 }) }),
      fc.record({ action: fc.constant("remove" as const), at: fc.nat({ max: 1000 }) }),
      fc.record({ action: fc.constant("first" as const) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
        const heap = new DueHeap<Item>();
        const held: Item[] = [];
        for (const taken of steps) {
          if (taken.action === "add") {
            const item = { dueNs: taken.dueNs, place: { dueIndex: -1 } };
            heap.add(item, taken.dueNs);
            held.push(item);
          } else {
            const item = taken.action === "first" ? heap.nearest : held[taken.at % Math.max(1, held.length)];
            if (item === undefined) continue;
            heap.remove(item);
            heap.remove(item);
            held.splice(held.indexOf(item), 1);
          }
          expect(heap.size).toBe(held.length);
          expect(heap.nearestNs).toBe(Math.min(Number.POSITIVE_INFINITY, ...held.map(({ dueNs }) => dueNs)));
          expect(heap.nearest?.dueNs ?? Number.POSITIVE_INFINITY).toBe(heap.nearestNs);
        }
      }),
    );
  });

  it("gives those due at the same moment in the order they were added", () => {
    const heap = new DueHeap<Item>();
    const added = Array.from({ length: 50 }, (_, index) => ({ dueNs: index % 3, place: { dueIndex: -1 } }));
    for (const item of added) heap.add(item, item.dueNs);
    const numbers = new Map(added.map((item, index) => [item, index]));
    const taken = added.map(() => {
      const first = heap.nearest;
      if (first !== undefined) heap.remove(first);
      return first && numbers.get(first);
    });
    expect(taken).toEqual(
      [0, 1, 2].flatMap((rest) => added.map((_, index) => index).filter((index) => index % 3 === rest)),
    );
  });

  it("does not take out what another one holds", () => {
    const heap = new DueHeap<Item>();
    const mine = { dueNs: 1, place: { dueIndex: -1 } };
    heap.add(mine, 1);
    heap.remove({ dueNs: 1, place: { dueIndex: 0 } });
    expect(heap.nearest).toBe(mine);
  });
});
