import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import type { Waiting } from "./decide-batch.ts";
import { RequestQueue } from "./request-queue.ts";

const waiting = (enqueuedNs: number): Waiting => ({ batchSize: 1, shapeKey: "", enqueuedNs });

describe("RequestQueue", () => {
  it("gives items in their order, also after some were removed from the middle", () => {
    const queue = new RequestQueue<Waiting>();
    for (let index = 0; index < 200; index++) queue.push(waiting(index));
    expect(queue.take(3).map(({ enqueuedNs }) => enqueuedNs)).toEqual([0, 1, 2]);
    expect(queue.remove(({ enqueuedNs }) => enqueuedNs % 2 === 1)).toHaveLength(99);
    expect(queue.length).toBe(98);
    expect(queue.at(0)?.enqueuedNs).toBe(4);
    expect(queue.take(1000).map(({ enqueuedNs }) => enqueuedNs)).toEqual(
      Array.from({ length: 98 }, (_, index) => 4 + 2 * index),
    );
    expect(queue.take(1)).toEqual([]);
    expect(queue.length).toBe(0);
  });

  it("keeps nothing of what was taken (the last 64 requests stayed in memory with their tensors)", async () => {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void;
    const queue = new RequestQueue<Waiting>();
    const taken = Array.from({ length: 10 }, (_, index) => {
      queue.push(waiting(index));
      const [item] = queue.take(1);
      return new WeakRef(item ?? waiting(-1));
    });
    // A WeakRef holds its object until the turn in which it was made is over.
    await new Promise((resolve) => setImmediate(resolve));
    collect();
    expect(taken.filter((reference) => reference.deref() !== undefined)).toEqual([]);
    expect(queue.length).toBe(0);
  });
});
