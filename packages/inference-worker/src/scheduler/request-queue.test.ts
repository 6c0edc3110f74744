import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RequestQueue } from "./request-queue.ts";

interface Numbered {
  readonly value: number;
  place: { position: number };
}

function push(queue: RequestQueue<Numbered>, value: number): Numbered {
  const item: Numbered = { value, place: { position: -1 } };
  item.place.position = queue.push(item);
  return item;
}

function read(queue: RequestQueue<Numbered>): number[] {
  const values: number[] = [];
  for (let slot = 0; slot < queue.extent; slot++) {
    const item = queue.slot(slot);
    if (item !== undefined) values.push(item.value);
  }
  return values;
}

describe("RequestQueue", () => {
  it("gives items in their order, whichever were taken out", () => {
    const step = fc.oneof(
      fc.record({ action: fc.constant("push" as const), count: fc.integer({ min: 1, max: 80 }) }),
      fc.record({ action: fc.constant("remove" as const), at: fc.double({ min: 0, max: 0.999, noNaN: true }) }),
      fc.record({ action: fc.constant("take" as const), count: fc.integer({ min: 1, max: 60 }) }),
      fc.record({ action: fc.constant("thin" as const), every: fc.integer({ min: 2, max: 5 }) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const queue = new RequestQueue<Numbered>();
        let waiting: Numbered[] = [];
        let next = 0;
        const remove = (items: readonly Numbered[]) => {
          for (const item of items) queue.remove(item.place.position);
          waiting = waiting.filter((item) => !items.includes(item));
        };
        for (const taken of steps) {
          if (taken.action === "push") for (let n = 0; n < taken.count; n++) waiting.push(push(queue, next++));
          if (taken.action === "remove") remove(waiting.slice(Math.floor(taken.at * waiting.length)).slice(0, 1));
          if (taken.action === "take") remove(waiting.slice(0, taken.count));
          if (taken.action === "thin") remove(waiting.filter((_, index) => index % taken.every !== 0));
          expect(read(queue)).toEqual(waiting.map(({ value }) => value));
          expect(queue.length).toBe(waiting.length);
          expect(waiting.every((item) => queue.get(item.place.position) === item)).toBe(true);
        }
      }),
    );
  });

  it("does not grow with items that leave from its middle while the first one stays", () => {
    const queue = new RequestQueue<Numbered>();
    push(queue, 0);
    for (let value = 1; value < 10_000; value++) {
      push(queue, value);
      queue.remove(push(queue, -value).place.position);
      if (value > 10) queue.remove(queue.slot(queue.extent - 2)?.place.position ?? -1);
    }
    expect(queue.extent).toBeLessThan(2 * queue.length + 40);
  });

  it("keeps nothing of what was taken (the last 64 requests stayed in memory with their tensors)", async () => {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void;
    const queue = new RequestQueue<Numbered>();
    const taken = Array.from({ length: 10 }, (_, index) => {
      const item = push(queue, index);
      queue.remove(item.place.position);
      return new WeakRef(item);
    });
    // A WeakRef holds its object until the turn in which it was made is over.
    await new Promise((resolve) => setImmediate(resolve));
    collect();
    expect(taken.filter((reference) => reference.deref() !== undefined)).toEqual([]);
    expect(queue.length).toBe(0);
  });
});
