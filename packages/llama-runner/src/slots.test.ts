import { describe, expect, it } from "vitest";
import { Slots } from "./slots.ts";

const anyone = () => new AbortController().signal;
const same = () => 0;

async function taken<T>(slots: Slots<T>, prefer: (value: T) => number = same) {
  const slot = await slots.take(anyone(), prefer);
  if (slot === undefined) throw new Error("no slot");
  return slot;
}

describe("Slots", () => {
  it("gives a request the free place it likes best", async () => {
    const slots = new Slots(["a", "b", "c"]);
    expect((await taken(slots, (value) => (value === "b" ? 1 : 0))).value).toBe("b");
    expect((await taken(slots, (value) => (value === "b" ? 1 : 0))).value).toBe("a");
    expect([slots.running, slots.waiting]).toEqual([2, 0]);
  });

  it("serves those that wait in the order they came", async () => {
    const slots = new Slots(["only"]);
    const first = await taken(slots);
    const order: number[] = [];
    const later = [1, 2, 3].map(async (number) => {
      const slot = await taken(slots);
      order.push(number);
      slot.free();
    });
    expect(slots.waiting).toBe(3);
    first.free();
    await Promise.all(later);
    expect(order).toEqual([1, 2, 3]);
    expect([slots.running, slots.waiting]).toEqual([0, 0]);
  });

  it("lets one that is not wanted any more leave the line, and gives nothing to it", async () => {
    const slots = new Slots(["only"]);
    const first = await taken(slots);
    const stop = new AbortController();
    const left = slots.take(stop.signal, same);
    const next = slots.take(anyone(), same);
    stop.abort();
    expect(await left).toBeUndefined();
    first.free();
    expect((await next)?.value).toBe("only");
    expect(await slots.take(AbortSignal.abort(), same)).toBeUndefined();
  });

  it("takes a place back once, however often it is freed", async () => {
    const slots = new Slots(["only"]);
    const first = await taken(slots);
    first.free();
    const second = await taken(slots);
    first.free();
    expect(slots.running).toBe(1);
    second.free();
    expect(slots.running).toBe(0);
  });
});
