import { describe, expect, it } from "vitest";
import { RedisCache, type RedisCacheOptions } from "./redis-cache.ts";
import type { RedisLink } from "./redis-link.ts";

const response = { outputs: [{ name: "O", datatype: "UINT8" as const, shape: [2], bytes: Uint8Array.of(1, 2) }] };

/** A service that the test answers for. */
function world(options: Partial<RedisCacheOptions> = {}) {
  const clock = { ms: 0 };
  const held = new Map<string, Uint8Array>();
  const calls: string[] = [];
  const service = { connected: true, mode: "answers" as "answers" | "hangs" | "fails", closed: false };
  const act = async <T>(text: string, value: () => T): Promise<T> => {
    calls.push(text);
    if (service.mode === "hangs") return new Promise<T>(() => undefined);
    if (service.mode === "fails") throw new Error("LOADING");
    return value();
  };
  const link: RedisLink = {
    get connected() {
      return service.connected;
    },
    get: (key) => act(`get ${key}`, () => held.get(key)),
    set: (key, value, ttlMs) => act(`set ${key} ${ttlMs}`, () => void held.set(key, value)),
    close: () => {
      service.closed = true;
    },
  };
  const lines: string[] = [];
  const cache = new RedisCache({
    open: async () => link,
    prefix: "p:",
    ttlMs: 500,
    timeoutMs: 1,
    nowMs: () => clock.ms,
    log: (text) => lines.push(text),
    ...options,
  });
  return { cache, clock, held, calls, service, lines };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe("RedisCache", () => {
  it("keeps responses under its prefix with their time to live, and finds them", async () => {
    const { cache, calls } = world();
    await settled();
    cache.insert("k", response);
    expect(await cache.lookup("k")).toEqual(response);
    expect(await cache.lookup("other")).toBeUndefined();
    expect(calls).toEqual(["set p:k 500", "get p:k", "get p:other"]);
  });

  it("takes something else under its key for nothing", async () => {
    const { cache, held } = world();
    await settled();
    held.set("p:k", Buffer.from("not ours"));
    expect(await cache.lookup("k")).toBeUndefined();
    expect(cache.use.service?.failures).toBe(0);
  });

  it("finds nothing, at once, before and without a connection", async () => {
    const { cache, service, calls } = world();
    expect(cache.lookup("k")).toBeUndefined();
    await settled();
    service.connected = false;
    cache.insert("k", response);
    expect(cache.lookup("k")).toBeUndefined();
    expect(calls).toEqual([]);
    expect(cache.use.service).toEqual({ connected: false, failures: 0 });
  });

  it("waits no longer than its limit for a service that hangs, then not at all, and asks one time after a pause", async () => {
    const { cache, service, calls, clock, lines } = world();
    await settled();
    service.mode = "hangs";
    for (let index = 0; index < 3; index++) expect(await cache.lookup("k")).toBeUndefined();
    expect(cache.lookup("k")).toBeUndefined();
    cache.insert("k", response);
    expect(calls).toHaveLength(3);
    service.mode = "answers";
    clock.ms = 500;
    const probe = cache.lookup("k");
    expect(cache.lookup("k")).toBeUndefined();
    expect(await probe).toBeUndefined();
    cache.insert("k", response);
    expect(await cache.lookup("k")).toEqual(response);
    expect(lines).toHaveLength(1);
    expect(cache.use.service?.failures).toBe(3);
  });

  it("does not take an insertion, whose answer nobody waits for, as the probe", async () => {
    const { cache, service, clock } = world();
    await settled();
    service.mode = "fails";
    for (let index = 0; index < 3; index++) await cache.lookup("k");
    service.mode = "hangs";
    clock.ms = 500;
    cache.insert("k", response);
    service.mode = "answers";
    expect(await cache.lookup("k")).toBeUndefined();
    cache.insert("k", response);
    expect(await cache.lookup("k")).toEqual(response);
  });

  it("keeps its memory bounded while insertions are not answered", async () => {
    const { cache, service, calls } = world();
    await settled();
    service.mode = "hangs";
    const large = {
      outputs: [{ name: "O", datatype: "UINT8" as const, shape: [30 << 20], bytes: new Uint8Array(30 << 20) }],
    };
    for (const key of ["a", "b", "c", "d"]) cache.insert(key, large);
    expect(calls).toEqual(["set p:a 500", "set p:b 500"]);
  });

  it("says rarely that it does not work", async () => {
    const { cache, service, clock, lines } = world();
    await settled();
    service.mode = "fails";
    await cache.lookup("k");
    await cache.lookup("k");
    clock.ms = 31_000;
    await cache.lookup("k");
    expect(lines).toEqual(Array(2).fill("the response cache cannot be used, requests are executed: LOADING"));
  });

  it("ends a connection that comes after it was closed", async () => {
    const { cache, service } = world();
    await cache.close();
    await settled();
    expect(service.closed).toBe(true);
  });
});
