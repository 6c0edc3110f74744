import { describe, expect, it } from "vitest";
import { Semaphore } from "./semaphore.ts";

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe("Semaphore", () => {
  it("runs as many as it may, the others in their order", async () => {
    const semaphore = new Semaphore(2);
    const order: string[] = [];
    const ends = new Map<string, () => void>();
    const task = (name: string) =>
      semaphore.run(() => {
        order.push(name);
        return new Promise<void>((resolve) => ends.set(name, resolve));
      });
    const all = ["a", "b", "c", "d"].map(task);
    await settled();
    expect(order).toEqual(["a", "b"]);
    ends.get("b")?.();
    await settled();
    expect(order).toEqual(["a", "b", "c"]);
    ends.get("a")?.();
    await settled();
    for (const end of ends.values()) end();
    await settled();
    for (const end of ends.values()) end();
    await Promise.all(all);
    expect(order).toEqual(["a", "b", "c", "d"]);
  });

  it("forgets who is aborted while it waits, and nobody loses a turn by it", async () => {
    const semaphore = new Semaphore(1);
    let end = () => {};
    const first = semaphore.run(() => new Promise<void>((resolve) => (end = resolve)));
    const abort = new AbortController();
    let ran = false;
    const second = semaphore.run(async () => {
      ran = true;
    }, abort.signal);
    const third = semaphore.run(async () => "third");
    await settled();
    abort.abort(new Error("nobody wants it"));
    await expect(second).rejects.toThrow("nobody wants it");
    end();
    await first;
    expect(await third).toBe("third");
    expect(ran).toBe(false);
    expect(await semaphore.run(async () => "fourth")).toBe("fourth");
  });
});
