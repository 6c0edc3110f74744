import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FreeList } from "./free-list.ts";

describe("FreeList", () => {
  it("gives aligned ranges and takes them back until all is one gap again", () => {
    const list = new FreeList(1024);
    const a = list.take(10);
    const b = list.take(100);
    expect([a, b]).toEqual([0, 64]);
    expect(list.take(1024)).toBeUndefined();
    list.give(0, 10);
    list.give(64, 100);
    expect(list.usedBytes).toBe(0);
    expect(list.take(1024)).toBe(0);
  });

  it("refuses a range that was not taken", () => {
    const list = new FreeList(1024);
    expect(() => list.give(0, 64)).toThrow(RangeError);
  });

  it("never overlaps, whatever is taken and given", () => {
    const action = fc.oneof(fc.record({ take: fc.integer({ min: 0, max: 700 }) }), fc.record({ give: fc.nat(40) }));
    fc.assert(
      fc.property(fc.array(action, { maxLength: 200 }), (actions) => {
        const list = new FreeList(4096);
        const held: { offset: number; length: number }[] = [];
        for (const step of actions) {
          if ("take" in step) {
            const offset = list.take(step.take);
            if (offset === undefined) continue;
            const length = Math.max(1, Math.ceil(step.take / 64)) * 64;
            expect(offset % 64).toBe(0);
            expect(offset + length).toBeLessThanOrEqual(4096);
            for (const other of held)
              expect(offset + length <= other.offset || other.offset + other.length <= offset).toBe(true);
            held.push({ offset, length });
          } else {
            const [range] = held.splice(step.give % Math.max(1, held.length), 1);
            if (range !== undefined) list.give(range.offset, range.length);
          }
        }
        expect(list.usedBytes).toBe(held.reduce((sum, { length }) => sum + length, 0));
        for (const { offset, length } of held) list.give(offset, length);
        expect(list.take(4096)).toBe(0);
      }),
      { numRuns: 300 },
    );
  });
});
