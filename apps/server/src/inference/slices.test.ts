import { describe, expect, it } from "vitest";
import { copyInSlices, SLICE_BYTES, work } from "./slices.ts";

describe("work()", () => {
  it("copies little at once and without a promise", () => {
    const moved: [number, number][] = [];
    expect(
      work(
        copyInSlices(10, (from, to) => moved.push([from, to])),
        10,
      ),
    ).toBeUndefined();
    expect(moved).toEqual([[0, 10]]);
  });

  it("gives the event loop a turn after every slice of much", async () => {
    const total = 3 * SLICE_BYTES + 5;
    const moved: [number, number][] = [];
    const seen: number[] = [];
    let going = true;
    const watch = () => {
      seen.push(moved.length);
      if (going) setImmediate(watch);
    };
    setImmediate(watch);
    await work(
      copyInSlices(total, (from, to) => moved.push([from, to])),
      total,
    );
    going = false;
    expect(moved.at(-1)).toEqual([3 * SLICE_BYTES, total]);
    expect(new Set(seen).size).toBeGreaterThanOrEqual(3);
  });

  it("stops between two slices, and the work gives back what it holds", async () => {
    let released = false;
    let copied = 0;
    function* holding() {
      try {
        yield* copyInSlices(4 * SLICE_BYTES, () => {
          copied += 1;
        });
      } finally {
        released = true;
      }
    }
    const stopped = () => {
      if (copied === 2) throw new Error("nobody waits");
    };
    await expect(work(holding(), 4 * SLICE_BYTES, stopped)).rejects.toThrow("nobody waits");
    expect([copied, released]).toEqual([2, true]);
  });
});
