import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ExecutionProvider } from "../../runner-protocol/messages.ts";
import { type EngineCacheContext, type EngineFacts, planEngineCache, whyUnfit } from "./engine-cache.ts";
import { checkEngines, prepareEngines } from "./engine-files.ts";

const CONTEXT: EngineCacheContext = {
  cacheDirectory: "/state/tensorrt-engines",
  model: "team/m",
  modelDirectory: "/models/m",
  version: "3",
  fingerprint: "f1",
  gpus: {
    cudaBuild: true,
    driver: "580.1",
    gpus: [
      { id: 0, uuid: "GPU-0", name: "NVIDIA L4", computeCapability: 8.9 },
      { id: 1, uuid: "GPU-1", name: "NVIDIA H100", computeCapability: 9 },
    ],
  },
};

const tensorrt = (options: Record<string, string>): readonly ExecutionProvider[] => [
  { name: "tensorrt", deviceId: 1, options },
  { name: "cuda", deviceId: 1 },
  { name: "cpu" },
];

describe("planEngineCache()", () => {
  it("gives engines that are kept a directory of the version's own", () => {
    const planned = planEngineCache(tensorrt({ trt_engine_cache_enable: "1", trt_fp16_enable: "1" }), CONTEXT);
    const directory = planned?.cache.directory ?? "";
    expect(directory).toMatch(/^\/state\/tensorrt-engines\/team%2Fm-[0-9a-f]{12}\/3$/);
    expect(planned?.providers).toEqual([
      {
        name: "tensorrt",
        deviceId: 1,
        options: { trt_engine_cache_enable: "1", trt_fp16_enable: "1", trt_engine_cache_path: directory },
      },
      { name: "cuda", deviceId: 1 },
      { name: "cpu" },
    ]);
    expect(planned?.cache.facts).toEqual({
      gpu: "NVIDIA H100",
      computeCapability: "9",
      driver: "580.1",
      options: { trt_fp16_enable: "1" },
      model: "f1",
    });
    const other = planEngineCache(tensorrt({ trt_engine_cache_enable: "1" }), {
      ...CONTEXT,
      modelDirectory: "/more/m",
    });
    expect(other?.cache.directory).not.toBe(directory);
  });

  it("leaves alone what the configuration places itself, and what is not kept", () => {
    expect(planEngineCache(tensorrt({}), CONTEXT)).toBeUndefined();
    expect(planEngineCache(tensorrt({ trt_engine_cache_enable: "0" }), CONTEXT)).toBeUndefined();
    const placed = { trt_engine_cache_enable: "1", trt_engine_cache_path: "/my/engines" };
    expect(planEngineCache(tensorrt(placed), CONTEXT)).toBeUndefined();
    expect(planEngineCache([{ name: "cpu" }], CONTEXT)).toBeUndefined();
    const timing = planEngineCache(tensorrt({ ...placed, trt_timing_cache_enable: "1" }), CONTEXT);
    expect(timing?.providers[0]?.options).toEqual({
      ...placed,
      trt_timing_cache_enable: "1",
      trt_timing_cache_path: timing?.cache.directory,
    });
  });
});

const FACTS: EngineFacts = {
  gpu: "NVIDIA L4",
  computeCapability: "8.9",
  driver: "580.1",
  options: { trt_fp16_enable: "1", trt_profile_max_shapes: "x:8x3" },
  model: "f1",
};

describe("whyUnfit()", () => {
  it.each<[Partial<EngineFacts>, string | undefined]>([
    [{}, undefined],
    [{ model: "f2" }, "the model's files have changed"],
    [{ gpu: "NVIDIA H100", computeCapability: "9" }, "the GPU was NVIDIA L4 and is NVIDIA H100"],
    [{ driver: "590" }, "the driver was 580.1 and is 590"],
    [{ options: { trt_profile_max_shapes: "x:8x3" } }, "trt_fp16_enable was 1 and is not set"],
    [
      { options: { ...FACTS.options, trt_profile_max_shapes: "x:16x3" } },
      "trt_profile_max_shapes was x:8x3 and is x:16x3",
    ],
  ])("%j: %s", (change, why) => {
    expect(whyUnfit(FACTS, { ...FACTS, ...change })).toBe(why);
  });
});

describe("engines on disk", () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "nereid-engines-"));
  });
  afterEach(() => rmSync(root, { recursive: true }));

  it("stay as long as they fit, and are removed when they do not", () => {
    const cache = { directory: join(root, "m", "1"), facts: FACTS };
    expect(checkEngines(cache)).toBeUndefined();
    prepareEngines(cache);
    const engine = join(cache.directory, "graph_sm89.engine");
    writeFileSync(engine, "engine");
    prepareEngines(cache);
    expect(existsSync(engine)).toBe(true);
    const newer = { ...cache, facts: { ...FACTS, driver: "590" } };
    expect(checkEngines(newer)).toBe("the driver was 580.1 and is 590");
    prepareEngines(newer);
    expect(existsSync(engine)).toBe(false);
    expect(checkEngines(newer)).toBeUndefined();
    expect(JSON.parse(readFileSync(join(cache.directory, "engines.json"), "utf8"))).toEqual(newer.facts);
  });

  it.each(["{", "{}", '{"gpu":1,"options":{}}', "null"])("with facts that cannot be read, %s, are removed", (text) => {
    const cache = { directory: join(root, "m"), facts: FACTS };
    prepareEngines(cache);
    writeFileSync(join(cache.directory, "engines.json"), text);
    writeFileSync(join(cache.directory, "old.engine"), "");
    expect(checkEngines(cache)).toBe("engines.json cannot be read");
    prepareEngines(cache);
    expect(existsSync(join(cache.directory, "old.engine"))).toBe(false);
  });
});
