import { QUANTILES, type TuningMeasurement, type TuningPoint } from "@nereid/perf/tuner";
import { expect, it } from "vitest";
import { goodputOf, pickUnder, settingWords } from "./tuning-figures.ts";

const setting = {
  instances: 2,
  maxBatchSize: 8,
  queueDelayUs: 500,
  preferred: [],
  threads: null,
  accelerator: null,
};

/** Answers that take from 0 to `slowestMs`, evenly spread. */
function point(id: string, throughput: number, slowestMs: number): TuningPoint {
  const figures = {
    throughput,
    goodput: throughput,
    averageUs: 0,
    p50Us: 0,
    p90Us: 0,
    p95Us: 0,
    p99Us: 990 * slowestMs,
    quantilesUs: QUANTILES.map((share) => 1000 * share * slowestMs),
    meanBatch: null,
    failed: 0,
  };
  const measured: TuningMeasurement = {
    ...figures,
    throughputInterval: [0, 0],
    goodputInterval: [0, 0],
    p99Interval: [0, 0],
    phases: null,
    memoryMb: null,
    cpuShare: null,
    gpus: [],
    stable: true,
    warnings: [],
    seconds: 1,
    liveP99Ms: null,
    times: 1,
  };
  return {
    id,
    config: id,
    setting,
    level: 1,
    requestBatch: 1,
    simulated: null,
    measured,
    skipped: null,
    passes: true,
    rank: 1,
  };
}

it("another limit makes another point the best", () => {
  const points = [point("much", 1000, 100), point("quick", 400, 10)];
  expect(goodputOf(points[0] ?? point("", 0, 0), 10)).toBeCloseTo(100);
  expect(pickUnder(points, 10)?.id).toBe("quick");
  expect(pickUnder(points, 100)?.id).toBe("much");
  expect(pickUnder(points, null)?.id).toBe("much");
  expect(pickUnder([], 10)).toBeNull();
});

it("of two with as many good answers the quicker one is picked, and only what was measured", () => {
  expect(pickUnder([point("slow", 100, 9), point("quick", 100, 5)], 10)?.id).toBe("quick");
  const dreamt = { ...point("dreamt", 9999, 1), measured: null };
  expect(pickUnder([dreamt, point("real", 1, 1)], 10)?.id).toBe("real");
});

it("settings in words", () => {
  expect(settingWords(setting)).toBe("2 instances, batches of 8 within 500 µs");
  expect(settingWords({ ...setting, instances: 1, maxBatchSize: 0, threads: 1 })).toBe(
    "1 instance, no batches, 1 thread",
  );
  expect(settingWords({ ...setting, queueDelayUs: null, preferred: [4, 8], accelerator: "tensorrt" })).toBe(
    "2 instances, batches of 8, not put together, preferred 4, 8, tensorrt",
  );
});
