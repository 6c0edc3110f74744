import { describe, expect, it } from "vitest";
import { parseOptions } from "./parse-options.ts";
import type { ServerOptions } from "./server-options.ts";

function parse(args: readonly string[], env: Readonly<Record<string, string>> = {}): ServerOptions {
  const parsed = parseOptions(["--model-repository=/m", ...args], env, () => undefined);
  if (parsed.kind !== "run") throw new Error("the help was asked for");
  return parsed.options;
}

describe("--cache-config", () => {
  it("opens a local cache of a size, which may be given in the old way", () => {
    expect(parse([]).cache).toBeUndefined();
    expect(parse(["--cache-config=local,size=1048576"]).cache).toEqual({ kind: "local", sizeBytes: 1_048_576 });
    const old = parse(["--response-cache-byte-size=1048576"]);
    expect(old.cache).toEqual({ kind: "local", sizeBytes: 1_048_576 });
    expect(old.notices).toEqual([
      { option: "--response-cache-byte-size", text: "deprecated; use --cache-config=local,size=<n>" },
    ]);
    expect(parse(["--cache-config=local,size=0"]).cache).toBeUndefined();
  });

  it("reads a Redis from several options", () => {
    const { cache, notices } = parse([
      "--cache-config=redis,host=cache.example",
      "--cache-config=redis,port=6380",
      "--cache-config",
      "redis,password=a,b=c",
      "--cache-config=redis,user=me",
      "--cache-config=redis,ttl=60",
      "--cache-config=redis,timeout_ms=20",
      "--cache-config=redis,prefix=team:",
      "--cache-config=redis,num_connections=8",
    ]);
    expect(cache).toEqual({
      kind: "redis",
      address: {
        host: "cache.example",
        port: 6380,
        username: "me",
        password: "a,b=c",
        database: undefined,
        tls: false,
      },
      prefix: "team:",
      ttlMs: 60_000,
      timeoutMs: 20,
    });
    expect(notices.map(({ text }) => text)).toEqual([
      "no effect: num_connections; one connection carries all look-ups here",
    ]);
  });

  it("has defaults, and takes Triton's variables for user and password", () => {
    const env = { TRITONCACHE_REDIS_USERNAME: "u", TRITONCACHE_REDIS_PASSWORD: "p" };
    expect(parse(["--cache-config=redis,host=h"], env).cache).toMatchObject({
      address: { port: 6379, username: "u", password: "p" },
      timeoutMs: 50,
      ttlMs: 0,
    });
  });

  it.each([
    [["--cache-config=local,size=1", "--cache-config=redis,host=h"], /only one cache implementation/],
    [["--cache-config=size=1"], /expected <cache name>,<setting>=<value>.*got "size=1"/],
    [["--cache-config=memcached,host=h"], /expected the cache local or redis, got "memcached"/],
    [["--cache-config=local,bytes=1"], /expected a setting of "local" \(size\)/],
    [["--cache-config=local,size=1G"], /expected a whole number .* for size, got "1G"/],
    [["--cache-config=redis,port=1"], /needs a host/],
    [["--cache-config=redis,host=h", "--cache-config=redis,port=0"], /for port, got "0"/],
    [["--cache-config=redis,host=h", "--cache-config=redis,tls=perhaps"], /expected true or false for tls/],
  ])("refuses %j", (args, text) => {
    expect(() => parse(args)).toThrow(text);
  });
});

describe("--rate-limit", () => {
  it("is off unless it is asked for", () => {
    expect(parse([]).rateLimit).toBeUndefined();
    expect(parse(["--rate-limit=off"]).rateLimit).toBeUndefined();
    expect(parse(["--rate-limit=execution_count"]).rateLimit).toEqual({ resources: [] });
  });

  it("reads resources, their letter case kept, for every device or one", () => {
    const args = ["Compute:10", "mem:2:1", "R:3:global"].map((text) => `--rate-limit-resource=${text}`);
    expect(parse(["--rate-limit=execution_count", ...args]).rateLimit?.resources).toEqual([
      { name: "Compute", count: 10, device: undefined },
      { name: "mem", count: 2, device: 1 },
      { name: "R", count: 3, device: undefined },
    ]);
  });

  it("says that resources mean nothing while it is off", () => {
    expect(parse(["--rate-limit-resource=R:1"]).notices).toMatchObject([{ option: "--rate-limit-resource" }]);
  });

  it.each(["R", "R:", ":1", "R:one", "R:-1", "R:1:2:3", "R:1:x", ""])("refuses the resource '%s'", (text) => {
    expect(() => parse([`--rate-limit-resource=${text}`])).toThrow(
      `expected '<resource_name>:<count>:<device>' or '<resource_name>:<count>', got "${text}"`,
    );
  });
});

describe("--host-policy", () => {
  it("gathers what is said of one name", () => {
    const { hostPolicies } = parse(["--host-policy=cpu,cpu-cores=0-2,5", "--host-policy=cpu,numa-node=1"]);
    expect([...hostPolicies]).toEqual([["cpu", { cores: [0, 1, 2, 5], numaNode: 1 }]]);
  });

  it.each(["p", "p,cores=1", "p,cpu-cores=", "p,cpu-cores=a", "p,cpu-cores=5000", "p,numa-node=-1"])(
    "refuses %s",
    (text) => {
      expect(() => parse([`--host-policy=${text}`])).toThrow(/expected <name>,cpu-cores=/);
    },
  );
});

describe("queues, warm-up and flights", () => {
  it("limit nothing by default", () => {
    const { queues, warmUpBatchSizes, flights } = parse([]);
    expect(queues.admission).toEqual({ maxRequests: 0, maxBytes: 0, maxPredictedWaitNs: 0, classes: [] });
    expect(queues.overloadCode).toBe("UNAVAILABLE");
    expect(warmUpBatchSizes).toBe("off");
    expect(flights).toEqual({ records: 4096, sampleEvery: 100 });
  });

  it("are set by their options", () => {
    const { queues, warmUpBatchSizes, flights } = parse([
      "--queue-max-requests=10",
      "--queue-max-bytes=1000",
      "--queue-max-wait-ms=5",
      "--overload-status=429",
      "--warm-up-batch-sizes=all",
      "--flight-records=0",
      "--flight-sample=1",
    ]);
    expect(queues.admission).toMatchObject({ maxRequests: 10, maxBytes: 1000, maxPredictedWaitNs: 5e6 });
    expect(queues.overloadCode).toBe("TOO_MANY_REQUESTS");
    expect(warmUpBatchSizes).toBe("all");
    expect(flights).toEqual({ records: 0, sampleEvery: 1 });
  });
});
