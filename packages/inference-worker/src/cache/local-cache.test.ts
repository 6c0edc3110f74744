import type { OutputTensor } from "@nereid/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LocalCache, sizeOf } from "./local-cache.ts";

const output = (bytes: Uint8Array, name = "OUT"): OutputTensor => ({
  name,
  datatype: "UINT8",
  shape: [bytes.length],
  bytes,
});
const response = (length: number, fill = 0) => ({ outputs: [output(new Uint8Array(length).fill(fill))] });
const firstByte = (cache: LocalCache, key: string) => cache.lookup(key)?.outputs[0]?.bytes[0];

describe("LocalCache", () => {
  it("gives back what was put in, in memory of its own", () => {
    const cache = new LocalCache(10_000);
    const bytes = Uint8Array.of(1, 2, 3);
    cache.insert("a", { outputs: [output(bytes)] });
    bytes.fill(9);
    expect(cache.lookup("a")).toEqual({ outputs: [output(Uint8Array.of(1, 2, 3))] });
    expect(cache.lookup("b")).toBeUndefined();
  });

  it("drops what was used least recently, and counts that", () => {
    const cache = new LocalCache(3 * sizeOf("a", response(100)));
    for (const key of ["a", "b", "c"]) cache.insert(key, response(100));
    cache.lookup("a");
    cache.insert("d", response(100));
    expect(["a", "b", "c", "d"].filter((key) => cache.lookup(key) !== undefined)).toEqual(["a", "c", "d"]);
    expect(cache.use).toMatchObject({ entries: 3, evictions: 1, usedBytes: cache.use.limitBytes });
  });

  it("keeps nothing larger than itself, and drops nothing for it", () => {
    const cache = new LocalCache(2000);
    cache.insert("a", response(100));
    cache.insert("b", response(2000));
    expect(cache.lookup("b")).toBeUndefined();
    expect(cache.use).toMatchObject({ entries: 1, evictions: 0 });
  });

  it("keeps the newer of two responses under one key", () => {
    const cache = new LocalCache(10_000);
    cache.insert("a", response(100, 1));
    const { usedBytes } = cache.use;
    cache.insert("a", response(100, 2));
    expect(firstByte(cache, "a")).toBe(2);
    expect(cache.use).toMatchObject({ entries: 1, usedBytes, evictions: 0 });
  });

  it("takes keys and small tensors into account, not only their bytes", () => {
    const cache = new LocalCache(100_000);
    for (let index = 0; index < 100_000; index++) cache.insert(`key ${index}`, response(0));
    expect(cache.use.entries).toBeLessThan(1000);
  });

  it("is empty once it is closed", async () => {
    const cache = new LocalCache(10_000);
    cache.insert("a", response(100));
    await cache.close();
    expect(cache.use).toMatchObject({ entries: 0, usedBytes: 0 });
  });

  const use = fc.record({
    key: fc.integer({ min: 0, max: 9 }),
    length: fc.integer({ min: 0, max: 900 }),
    put: fc.boolean(),
  });

  it("never exceeds its limit, counts exactly what it holds, and answers with the last response of a key", () => {
    fc.assert(
      fc.property(fc.array(use, { maxLength: 60 }), fc.integer({ min: 0, max: 5000 }), (uses, limit) => {
        const cache = new LocalCache(limit);
        const last = new Map<string, number>();
        uses.forEach(({ key, length, put }, index) => {
          const name = String(key);
          if (put) {
            cache.insert(name, {
              outputs: [output(new Uint8Array(length).fill(index)), output(Uint8Array.of(index), "N")],
            });
            last.set(name, index);
          } else {
            const found = cache.lookup(name);
            if (found !== undefined) expect(found.outputs[1]?.bytes[0]).toBe(last.get(name));
          }
          expect(cache.use.usedBytes).toBeLessThanOrEqual(limit);
        });
        const held = [...Array(10).keys()].flatMap((key) => {
          const found = cache.lookup(String(key));
          return found === undefined ? [] : [sizeOf(String(key), found)];
        });
        expect(cache.use.usedBytes).toBe(held.reduce((sum, size) => sum + size, 0));
        expect(cache.use.entries).toBe(held.length);
      }),
    );
  });
});
