import { describe, expect, it } from "vitest";
import { fitCosts } from "./fit-costs.ts";
import { serviceCurve } from "./service-curve.ts";
import { type CostModel, simulateSetting } from "./simulate-setting.ts";
import type { TuningProbe, TuningSetting } from "./tuning-types.ts";

const SETTING: TuningSetting = {
  instances: 1,
  maxBatchSize: 16,
  queueDelayUs: 0,
  preferred: [],
  threads: 1,
  accelerator: null,
};

/** An execution of b items takes 200 + 50 b microseconds; the way to it and back 120. */
const probe = (requestBatch: number): TuningProbe => {
  const p50Us = 200 + 50 * requestBatch + 120;
  return {
    requestBatch,
    concurrency: 1,
    setting: SETTING,
    executions: [{ batchSize: requestBatch, count: 100, inferUs: 200 + 50 * requestBatch, aroundUs: 40 }],
    throughput: 1e6 / p50Us,
    averageUs: p50Us,
    p50Us,
    quantilesUs: [],
    generatorUs: 20,
    seconds: 1,
  };
};
const PROBES = [probe(1), probe(16)];

function model(over: Partial<CostModel["front"]> = {}): CostModel {
  const curve = serviceCurve(PROBES);
  if (curve === undefined) throw new Error("no curve");
  const front = { clientUs: 20, frontUs: 30, transitUs: 20, aroundShare: 0.5, underLoad: 1, ...over };
  return { curve, front, processors: 4, onGpu: false, measuredOn: SETTING };
}

const at = (level: number, setting = SETTING, costs = model()) =>
  simulateSetting({ setting, requestBatch: 1, load: { kind: "concurrency", level }, goodWithinMs: 5, seed: 1 }, costs);

describe("simulateSetting()", () => {
  it("is Little's law: as many are in flight as were asked for", () => {
    for (const level of [1, 8, 64]) {
      const { throughput, averageUs } = at(level);
      expect((throughput * averageUs) / 1e6 / level).toBeGreaterThan(0.97);
      expect((throughput * averageUs) / 1e6 / level).toBeLessThan(1.03);
    }
  });

  it("gets more of batches and of instances, and no more of instances than there are processors", () => {
    const alone = at(64, { ...SETTING, maxBatchSize: 1, queueDelayUs: null }).throughput;
    expect(at(64).throughput).toBeGreaterThan(alone * 2);
    const many = (instances: number, processors: number) =>
      at(
        64,
        { ...SETTING, instances, maxBatchSize: 1, queueDelayUs: null },
        { ...model({ frontUs: 1, clientUs: 1 }), processors },
      ).throughput;
    expect(many(2, 4)).toBeGreaterThan(alone * 1.6);
    expect(many(8, 2)).toBeLessThan(many(2, 2) * 1.15);
  });

  it("is bound by the front where executions cost nothing to speak of", () => {
    const { throughput } = at(64, { ...SETTING, instances: 4 }, model({ frontUs: 500 }));
    expect(throughput).toBeLessThan(2000);
    expect(throughput).toBeGreaterThan(1500);
  });

  it("keeps up with a rate below what it can, and says so of one above", () => {
    const rate = (level: number) =>
      simulateSetting(
        { setting: SETTING, requestBatch: 1, load: { kind: "rate", level }, goodWithinMs: 5, seed: 3 },
        model(),
      );
    expect(rate(500).throughput).toBeGreaterThan(450);
    expect(rate(500).goodput).toBeGreaterThan(440);
    expect(rate(50_000).goodput).toBeLessThan(25_000);
  });
});

it("fitCosts() finds the front's work from what a full load came to", () => {
  const truth = model({ frontUs: 80, transitUs: 0, clientUs: 20 });
  const { throughput, averageUs } = at(64, { ...SETTING, instances: 2 }, truth);
  const fitted = fitCosts({
    probes: PROBES,
    loaded: [
      {
        setting: { ...SETTING, instances: 2 },
        requestBatch: 1,
        load: { kind: "concurrency", level: 64 },
        throughput,
        averageUs,
      },
    ],
    processors: 4,
    onGpu: false,
  });
  if (fitted === undefined) throw new Error("nothing was fitted");
  const said = at(64, { ...SETTING, instances: 2 }, fitted).throughput;
  expect(Math.abs(said / throughput - 1)).toBeLessThan(0.05);
  expect(fitCosts({ probes: [], loaded: [], processors: 4, onGpu: false })).toBeUndefined();
});
