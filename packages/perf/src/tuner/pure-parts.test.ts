import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkpointKey, readCheckpoint } from "./checkpoint.ts";
import { compareFigures, missedPercent, utilityOf } from "./compare-figures.ts";
import { configFields } from "./config-fields.ts";
import { goodputWithin, quantileAt, quantilesOf, shareWithin } from "./goodput.ts";
import { importanceOf } from "./importance.ts";
import { chanceAbove, meanInterval } from "./intervals.ts";
import { paretoFront } from "./pareto.ts";
import { buildSpace, legalSetting, settingKey, valuesBetween } from "./search-space.ts";
import { tunedModel } from "./tuned-model.ts";
import type { TuningCheckpoint, TuningFigures, TuningSetting } from "./tuning-types.ts";

const figures = (throughput: number, p99Us: number): TuningFigures => ({
  throughput,
  goodput: throughput,
  averageUs: p99Us / 2,
  p50Us: p99Us / 2,
  p90Us: p99Us,
  p95Us: p99Us,
  p99Us,
  quantilesUs: quantilesOf([p99Us]),
  meanBatch: null,
  failed: 0,
});
const anyFigures = fc
  .tuple(fc.double({ min: 1, max: 1e5, noNaN: true }), fc.double({ min: 1, max: 1e6, noNaN: true }))
  .map(([throughput, p99Us]) => figures(throughput, p99Us));

const MODEL = tunedModel("m", {
  name: "m",
  max_batch_size: 16,
  instance_group: [{ count: 2, kind: "KIND_CPU" }],
  dynamic_batching: { preferred_batch_size: [8], max_queue_delay_microseconds: 100, preserve_ordering: true },
  parameters: { spin: { string_value: "0" } },
});

describe("paretoFront()", () => {
  it("keeps exactly those that nothing beats, each once", () => {
    fc.assert(
      fc.property(fc.array(anyFigures, { maxLength: 40 }), (all) => {
        const points = all.map((one) => ({ figures: one }));
        const front = paretoFront(points);
        const beats = (a: TuningFigures, b: TuningFigures) =>
          a.throughput >= b.throughput && a.p99Us <= b.p99Us && (a.throughput > b.throughput || a.p99Us < b.p99Us);
        for (const one of front) expect(all.some((other) => beats(other, one.figures))).toBe(false);
        for (const one of points)
          if (!front.includes(one))
            expect(
              front.some(
                ({ figures: kept }) =>
                  beats(kept, one.figures) ||
                  (kept.throughput === one.figures.throughput && kept.p99Us === one.figures.p99Us),
              ),
            ).toBe(true);
      }),
    );
  });
});

describe("compareFigures()", () => {
  const wanted = {
    objectives: [
      { metric: "perf_throughput", weight: 2 },
      { metric: "perf_latency_p99", weight: 1 },
    ],
    constraints: [{ metric: "perf_latency_p99", min: null, max: 100 }],
  } as const;

  it("is Model Analyzer's: turned around it says the opposite, and what keeps the limits comes first", () => {
    fc.assert(
      fc.property(anyFigures, anyFigures, (a, b) => {
        expect(compareFigures(a, b, wanted)).toBeCloseTo(-compareFigures(b, a, wanted), 6);
        const [missedA, missedB] = [missedPercent(a, wanted.constraints), missedPercent(b, wanted.constraints)];
        if (missedA === 0 && missedB > 0) {
          expect(compareFigures(a, b, wanted)).toBeGreaterThan(0);
          expect(utilityOf(a, wanted)).toBeGreaterThan(utilityOf(b, wanted));
        }
      }),
    );
  });

  it("weighs differences by their mean", () => {
    // (200 - 100) / 150 × 2, less (20 - 10) / 15.
    expect(compareFigures(figures(200, 20_000), figures(100, 10_000), wanted)).toBeCloseTo(
      2 * (100 / 150) - 10 / 15,
      9,
    );
    expect(compareFigures(figures(100, 150_000), figures(100, 200_000), wanted)).toBeCloseTo(50, 9);
  });
});

describe("goodput", () => {
  it("grows with the limit, from nothing to everything", () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 1, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 200 }),
        fc.double({ min: 0.001, max: 2000, noNaN: true }),
        (us, limit) => {
          const quantilesUs = quantilesOf(Float64Array.from(us).sort());
          const share = shareWithin(quantilesUs, limit);
          expect(share).toBeGreaterThanOrEqual(0);
          expect(share).toBeLessThanOrEqual(1);
          expect(shareWithin(quantilesUs, limit * 1.5)).toBeGreaterThanOrEqual(share);
          expect(shareWithin(quantilesUs, 1001)).toBe(1);
          expect(goodputWithin({ throughput: 7, quantilesUs }, null)).toBe(7);
        },
      ),
    );
    expect(quantileAt(quantilesOf(Float64Array.from({ length: 1001 }, (_, index) => index)), 0.97)).toBe(970);
  });
});

describe("buildSpace()", () => {
  const space = (instances: number[], maxBatchSizes: number[]) => ({
    instances,
    maxBatchSizes,
    queueDelaysUs: [0, 100, null],
    preferred: [[], [8], [32]],
    threads: [null, 1],
    accelerators: [null],
  });

  it("has the present configuration first, each meaning once, and nothing that cannot be had", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 4 }),
        fc.array(fc.integer({ min: 1, max: 64 }), { minLength: 1, maxLength: 4 }),
        (instances, sizes) => {
          const { configs, points } = buildSpace(
            { space: space(instances, sizes), load: { kind: "concurrency", levels: [1, 8] }, requestBatches: [1, 4] },
            MODEL,
          );
          expect(configs[0]).toEqual({ id: "m_config_default", setting: MODEL.present, fields: {} });
          expect(new Set(configs.map(({ setting }) => settingKey(setting))).size).toBe(configs.length);
          for (const { setting } of configs) expect(legalSetting(setting, MODEL)).toEqual(setting);
          for (const { config, requestBatch } of points)
            expect(requestBatch).toBeLessThanOrEqual(Math.max(1, config.setting.maxBatchSize));
          // What its fields make of the present configuration is the setting.
          for (const { setting, fields } of configs)
            expect(tunedModel("m", { ...MODEL.config, ...fields }).present).toEqual({
              ...setting,
              threads: setting.threads,
            });
        },
      ),
    );
  });

  it("leaves what is not searched as it is", () => {
    const setting: TuningSetting = { ...MODEL.present, maxBatchSize: 4, preferred: [], threads: 3 };
    expect(configFields(setting, MODEL)).toEqual({
      max_batch_size: 4,
      dynamic_batching: { preferred_batch_size: [], max_queue_delay_microseconds: 100, preserve_ordering: true },
      parameters: { spin: { string_value: "0" }, intra_op_thread_count: { string_value: "3" } },
    });
    expect(configFields({ ...MODEL.present, queueDelayUs: null, preferred: [] }, MODEL)).toEqual({
      dynamic_batching: null,
    });
  });

  it("has no batching for a model without it, and doubles as Model Analyzer does", () => {
    const plain = tunedModel("p", { name: "p", max_batch_size: 0, instance_group: [{ count: 1, kind: "KIND_CPU" }] });
    const { configs } = buildSpace(
      { space: space([1, 2], [1, 8]), load: { kind: "rate", levels: [10] }, requestBatches: [1] },
      plain,
    );
    expect(configs.every(({ setting }) => setting.maxBatchSize === 0 && setting.queueDelayUs === null)).toBe(true);
    expect(valuesBetween(1, 128, "double")).toEqual([1, 2, 4, 8, 16, 32, 64, 128]);
    expect(valuesBetween(1, 5, 1)).toEqual([1, 2, 3, 4, 5]);
  });
});

describe("readCheckpoint()", () => {
  const measurement = {
    ...figures(10, 1000),
    throughputInterval: [9, 11],
    goodputInterval: [9, 11],
    p99Interval: [900, 1100],
    phases: null,
    memoryMb: null,
    cpuShare: null,
    gpus: [],
    stable: true,
    warnings: [],
    seconds: 1,
    liveP99Ms: null,
    times: 1,
  } as const;
  const checkpoint: TuningCheckpoint = {
    version: 1,
    model: "m",
    key: "k",
    seconds: 3,
    measured: [
      {
        id: "m_config_default 1 1",
        config: { id: "m_config_default", setting: MODEL.present, fields: {} },
        level: 1,
        requestBatch: 1,
        measurement,
      },
    ],
    skipped: [{ id: "x", skip: { why: "it did not load", fix: null } }],
    probes: [],
    live: null,
  };

  it("reads what was written, and says what is wrong of anything else", () => {
    expect(readCheckpoint(JSON.parse(JSON.stringify(checkpoint)))).toEqual(checkpoint);
    const text = JSON.stringify(checkpoint);
    for (const damaged of [
      text.replace('"version":1', '"version":2'),
      text.replace('"throughput":10', '"throughput":"x"'),
      text.replace('"probes":[]', '"probes":3'),
      "[]",
      "3",
    ])
      expect(() => readCheckpoint(JSON.parse(damaged), "0.ckpt")).toThrow(/^0\.ckpt /);
  });

  it("holds for the same model, configuration and way to measure only", () => {
    const spec = {
      load: { kind: "concurrency", levels: [1] },
      protocol: "http",
      goodWithinMs: 5,
      measureSeconds: 1,
      shapes: {},
      version: null,
    } as unknown as Parameters<typeof checkpointKey>[0];
    const key = checkpointKey(spec, MODEL);
    expect(checkpointKey({ ...spec, load: { kind: "concurrency", levels: [4] } }, MODEL)).toBe(key);
    expect(checkpointKey({ ...spec, goodWithinMs: 6 }, MODEL)).not.toBe(key);
    expect(checkpointKey(spec, { ...MODEL, config: { ...MODEL.config, max_batch_size: 2 } })).not.toBe(key);
  });
});

it("importanceOf() names the parameter that matters, and gives one that does not little", () => {
  const rated = [1, 2, 3, 4].flatMap((instances) =>
    [0, 100, 1000].flatMap((queueDelayUs) =>
      [1, 8].map((level) => ({
        setting: { ...MODEL.present, instances, queueDelayUs },
        level,
        requestBatch: 1,
        value: instances * 10 + level * 0.5,
      })),
    ),
  );
  const [first, ...others] = importanceOf(rated);
  expect(first?.parameter).toBe("instances");
  expect(first?.share).toBeGreaterThan(0.8);
  expect(others.every(({ share }) => share < 0.2)).toBe(true);
});

it("intervals hold the mean, narrow with windows that agree, and say how likely one is above another", () => {
  expect(meanInterval([10, 10, 10])).toEqual([10, 10]);
  const [low, high] = meanInterval([9, 10, 11]);
  expect(low).toBeCloseTo(10 - 2.92 / Math.sqrt(3), 6);
  expect(high).toBeCloseTo(10 + 2.92 / Math.sqrt(3), 6);
  const at = (mean: number) => ({ mean, interval: [mean - 1, mean + 1] as const });
  expect(chanceAbove(at(5), at(5))).toBeCloseTo(0.5);
  expect(chanceAbove(at(10), at(5))).toBeGreaterThan(0.99);
});
