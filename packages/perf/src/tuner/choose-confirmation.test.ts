import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chooseConfirmation } from "./choose-confirmation.ts";
import { mergeMeasurements } from "./merge-measurements.ts";
import type { SpacePoint } from "./search-space.ts";
import { QUANTILES, type TuningMeasurement } from "./tuning-types.ts";

const SETTING = {
  instances: 1,
  maxBatchSize: 8,
  queueDelayUs: null,
  preferred: [],
  threads: null,
  accelerator: null,
} as const;
const pointOf = (config: string, level: number): SpacePoint => ({
  id: `${config} ${level} 1`,
  config: { id: config, setting: SETTING, fields: {} },
  level,
  requestBatch: 1,
});
const measuredAt = (goodput: number, times = 1): TuningMeasurement => ({
  throughput: goodput,
  goodput,
  averageUs: 1000,
  p50Us: 1000,
  p90Us: 1000,
  p95Us: 1000,
  p99Us: 1000,
  quantilesUs: QUANTILES.map(() => 1000),
  meanBatch: 2,
  failed: 0,
  throughputInterval: [goodput * 0.9, goodput * 1.1],
  goodputInterval: [goodput * 0.9, goodput * 1.1],
  p99Interval: [900, 1100],
  phases: null,
  memoryMb: 10,
  cpuShare: null,
  gpus: [],
  stable: true,
  warnings: [],
  seconds: 1,
  liveP99Ms: null,
  times,
});
const wanted = { objectives: [{ metric: "goodput", weight: 1 }], constraints: [] } as const;

describe("chooseConfirmation()", () => {
  const ask = (
    rows: readonly (readonly [SpacePoint, TuningMeasurement])[],
    more: { loaded?: string; without?: string[] } = {},
  ) =>
    chooseConfirmation({
      points: new Map(rows.map(([point]) => [point.id, point])),
      measured: new Map(rows.map(([point, measurement]) => [point.id, measurement])),
      wanted,
      without: new Set(more.without),
      loaded: more.loaded,
    })?.id;
  const [a, b, c] = [pointOf("a", 64), pointOf("b", 64), pointOf("c", 64)];

  it("asks for the best of configurations that lie close, the least measured first, the loaded one of equals", () => {
    expect(
      ask([
        [a, measuredAt(100)],
        [b, measuredAt(90)],
      ]),
    ).toBe(a.id);
    expect(
      ask(
        [
          [a, measuredAt(100)],
          [b, measuredAt(90)],
        ],
        { loaded: "b" },
      ),
    ).toBe(b.id);
    expect(
      ask(
        [
          [a, measuredAt(100, 2)],
          [b, measuredAt(90)],
        ],
        { loaded: "a" },
      ),
    ).toBe(b.id);
    expect(
      ask([
        [a, measuredAt(100, 3)],
        [b, measuredAt(90, 3)],
      ]),
    ).toBeUndefined();
    expect(
      ask(
        [
          [a, measuredAt(100)],
          [b, measuredAt(90)],
        ],
        { without: [a.id] },
      ),
    ).toBe(b.id);
  });

  it("asks for nothing where one stands alone: others are far, or are other loads of the same configuration", () => {
    expect(
      ask([
        [a, measuredAt(100)],
        [c, measuredAt(50)],
      ]),
    ).toBeUndefined();
    expect(
      ask([
        [a, measuredAt(100)],
        [pointOf("a", 16), measuredAt(99)],
      ]),
    ).toBeUndefined();
    expect(ask([])).toBeUndefined();
  });

  it("picks the truly best oftener than the luckiest measurement does", () => {
    const truth = [100, 96, 90, 80];
    let [once, confirmed] = [0, 0];
    fc.assert(
      fc.property(
        fc.infiniteStream(fc.double({ min: 0.85, max: 1.15, noNaN: true, noDefaultInfinity: true })),
        (noise) => {
          const look = (index: number) => measuredAt((truth[index] ?? 0) * (noise.next().value ?? 1));
          const points = truth.map((_, index) => pointOf(String(index), 64));
          const measured = new Map(points.map((point, index) => [point.id, look(index)]));
          const best = () =>
            Number([...measured].toSorted(([, x], [, y]) => y.goodput - x.goodput)[0]?.[0].split(" ")[0] ?? 0);
          once += truth[best()] ?? 0;
          const byId = new Map(points.map((point) => [point.id, point]));
          for (;;) {
            const next = chooseConfirmation({ points: byId, measured, wanted, without: new Set(), loaded: undefined });
            const known = next && measured.get(next.id);
            if (next === undefined || known === undefined) break;
            measured.set(next.id, mergeMeasurements(known, look(Number(next.config.id))));
          }
          confirmed += truth[best()] ?? 0;
        },
      ),
      { numRuns: 400, seed: 7 },
    );
    expect(confirmed).toBeGreaterThan(once);
  });
});

it("mergeMeasurements() makes means by how often each was measured, and knows no less than its parts how unsure they are", () => {
  const merged = mergeMeasurements(
    { ...measuredAt(100, 2), warnings: ["a"] },
    { ...measuredAt(70), warnings: ["a", "b"] },
  );
  expect(merged).toMatchObject({
    goodput: 90,
    throughput: 90,
    times: 3,
    seconds: 2,
    warnings: ["a", "b"],
    memoryMb: 10,
    cpuShare: null,
  });
  const [low, high] = merged.goodputInterval;
  expect((low + high) / 2).toBeCloseTo(90);
  expect(high - low).toBeGreaterThan(20);
});
