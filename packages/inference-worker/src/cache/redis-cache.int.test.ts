import { afterEach, describe, expect, it } from "vitest";
import { RedisCache } from "./redis-cache.ts";
import { openRedisLink } from "./redis-link.ts";
import { NO_REDIS, startRedis, type TestRedis } from "./testing/redis-server.ts";

const text = Buffer.from([3, 0, 0, 0, 97, 0, 255]);
const response = {
  outputs: [
    { name: "O", datatype: "FP32" as const, shape: [2], bytes: new Uint8Array(new Float32Array([1, -2]).buffer) },
    { name: "T", datatype: "BYTES" as const, shape: [1], bytes: new Uint8Array(text) },
  ],
};

const open: { close(): Promise<void> }[] = [];
let redis: TestRedis | undefined;
afterEach(async () => {
  await Promise.all(open.splice(0).map((cache) => cache.close()));
  await redis?.stop();
  redis = undefined;
});

function cacheOn(port: number, options: { password?: string; ttlMs?: number } = {}) {
  const lines: string[] = [];
  const cache = new RedisCache({
    open: (onError) => openRedisLink({ host: "127.0.0.1", port, password: options.password }, onError),
    prefix: "nereid:",
    ttlMs: options.ttlMs ?? 0,
    timeoutMs: 1000,
    nowMs: () => performance.now(),
    log: (line) => lines.push(line),
  });
  open.push(cache);
  return { cache, lines };
}

async function until(what: string, condition: () => unknown): Promise<void> {
  const deadline = Date.now() + 30_000;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`never happened: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

const connected = (cache: RedisCache) => until("connected", () => cache.use.service?.connected);

describe.skipIf(NO_REDIS !== undefined)(
  `RedisCache on a real Redis${NO_REDIS === undefined ? "" : ` (skipped: ${NO_REDIS})`}`,
  () => {
    it("shares responses between two servers, for as long as they live", async () => {
      redis = await startRedis();
      const { cache: first } = cacheOn(redis.port, { ttlMs: 1000 });
      const { cache: second } = cacheOn(redis.port);
      await Promise.all([connected(first), connected(second)]);
      first.insert("k", response);
      await until("the other finds it", async () => (await second.lookup("k")) !== undefined);
      second.insert("stays", response);
      await until("it is over", async () => (await second.lookup("k")) === undefined);
      expect(await first.lookup("stays")).toEqual(response);
    });

    it("finds nothing while Redis is away, and connects again by itself", async () => {
      redis = await startRedis();
      const { port } = redis;
      const { cache } = cacheOn(port);
      await connected(cache);
      cache.insert("k", response);
      expect(await cache.lookup("k")).toEqual(response);
      await redis.stop();
      redis = undefined;
      await until("it is known to be away", () => cache.use.service?.connected === false);
      expect(cache.lookup("k")).toBeUndefined();
      cache.insert("k", response);
      redis = await startRedis(port);
      await connected(cache);
      cache.insert("again", response);
      await until("it works again", async () => (await cache.lookup("again")) !== undefined);
    });

    it("goes on without a Redis that hangs", async () => {
      redis = await startRedis();
      const { cache, lines } = cacheOn(redis.port);
      await connected(cache);
      process.kill(redis.pid, "SIGSTOP");
      for (let index = 0; index < 3; index++) expect(await cache.lookup("k")).toBeUndefined();
      expect(cache.lookup("k")).toBeUndefined();
      expect(lines[0]).toContain("a look-up took longer than 1000 ms");
      process.kill(redis.pid, "SIGCONT");
      await until("it is asked again", () => {
        cache.insert("k", response);
        return cache.lookup("k");
      });
    });

    it("says why when it may not, and works with the password", async () => {
      redis = await startRedis(0, "secret");
      const refused = cacheOn(redis.port, { password: "wrong" });
      await until("it was refused", () => refused.lines.length > 0);
      expect(refused.lines[0]).toMatch(/WRONGPASS|invalid/i);
      expect(refused.cache.lookup("k")).toBeUndefined();
      const { cache } = cacheOn(redis.port, { password: "secret" });
      await connected(cache);
      cache.insert("k", response);
      expect(await cache.lookup("k")).toEqual(response);
    });
  },
);
