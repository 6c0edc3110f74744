import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { RecentArrival, RecentExecution, TrafficWindow } from "../facts/recent-traffic.ts";
import { NO_ADMISSION_LIMITS, NO_QUEUE_POLICY } from "../scheduler/policy.ts";
import { recorded } from "./arrivals.ts";
import { poolRising } from "./pool-rising.ts";
import { seededRandom } from "./random.ts";
import { serviceTimes } from "./service-times.ts";
import { simulate } from "./simulate.ts";
import { type WhatIfQuestion, type WhatIfSetting, whatIf } from "./what-if.ts";

const MS = 1e6;
const priorities = { levels: 0, defaultLevel: 0, defaultPolicy: NO_QUEUE_POLICY, byLevel: new Map() };
const arrival = (atNs: number, more: Partial<RecentArrival> = {}): RecentArrival => ({
  atNs,
  batchSize: 1,
  shapeKey: "",
  priority: 0,
  timeoutNs: 0,
  byteLength: 4,
  cost: 1,
  totalNs: 5 * MS,
  ...more,
});
const executions = (batchSize: number, ns: number, count = 10, restNs = 0): RecentExecution[] =>
  Array.from({ length: count }, (_, at) => ({ endNs: (at + 1) * 10 * MS, batchSize, ns, restNs }));
const batch = (maxBatchSize: number, maxQueueDelayNs = 0) => ({
  maxBatchSize,
  preferredBatchSizes: [maxBatchSize],
  maxQueueDelayNs,
});
const alone = (instances: number): WhatIfSetting => ({ instances, batch: undefined });
const question = (traffic: Omit<TrafficWindow, "isWhole">, more: Partial<WhatIfQuestion> = {}): WhatIfQuestion => ({
  present: alone(1),
  proposed: alone(1),
  priorities,
  admission: NO_ADMISSION_LIMITS,
  sendsAhead: false,
  traffic: { ...traffic, isWhole: true },
  sinceLoad: [],
  ...more,
});
const every = (gapMs: number, count = 100) => Array.from({ length: count }, (_, at) => arrival(at * gapMs * MS));

describe("whatIf()", () => {
  it("shows that a second instance clears a queue, and that batching does", async () => {
    // One every 5 ms, and each takes 10: one instance falls behind.
    const traffic = { arrivals: every(5), executions: [...executions(1, 10 * MS), ...executions(4, 12 * MS)] };
    const twice = await whatIf(question(traffic, { proposed: alone(2) }));
    expect(twice.present.p99Ns).toBeGreaterThan(400 * MS);
    expect(twice.proposed).toMatchObject({ p50Ns: 10 * MS, p99Ns: 10 * MS, meanBatch: 1, unanswered: 0 });
    const batched = await whatIf(question(traffic, { proposed: { instances: 1, batch: batch(4) } }));
    expect(batched.proposed.p99Ns ?? 0).toBeLessThan(40 * MS);
    expect(batched.proposed.meanBatch ?? 0).toBeGreaterThan(1.5);
    expect(batched.unmeasured.map(({ batchSize, kind }) => [batchSize, kind])).toEqual(
      expect.arrayContaining([[2, "between"]]),
    );
  });

  it("tells what was measured beside it, in the same figures", async () => {
    const arrivals = every(10).map((one, at) => (at === 99 ? { ...one, totalNs: Number.NaN } : one));
    const { measured } = await whatIf(question({ arrivals, executions: executions(1, 2 * MS) }));
    expect(measured).toMatchObject({ p50Ns: 5 * MS, p99Ns: 5 * MS, meanBatch: 1, unanswered: 1 });
    expect(measured.requestsPerSecond).toBeCloseTo(99 / 0.985, 1);
  });

  it("leaves requests out that no batch would take, and says how many", async () => {
    const arrivals = every(10).map((one, at) => (at % 4 === 0 ? { ...one, batchSize: 8 } : one));
    const traffic = { arrivals, executions: executions(1, MS) };
    const answer = await whatIf(question(traffic, { proposed: { instances: 1, batch: batch(4) } }));
    expect(answer.tooLarge).toBe(25);
    expect(answer.present.requestsPerSecond).toBeGreaterThan(answer.proposed.requestsPerSecond);
  });

  it("refuses where there is too little to say anything", async () => {
    await expect(whatIf(question({ arrivals: every(1, 5), executions: executions(1, MS) }))).rejects.toThrow(
      "only 5 requests came in this time",
    );
    await expect(whatIf(question({ arrivals: every(1), executions: [] }))).rejects.toMatchObject({ code: "CONFLICT" });
  });

  const anyTraffic = fc
    .array(fc.record({ gap: fc.integer({ min: 0, max: 20 }), batchSize: fc.integer({ min: 1, max: 4 }) }), {
      minLength: 20,
      maxLength: 120,
    })
    .map((rows) => {
      let atMs = 0;
      return rows.map(({ gap, batchSize }) => {
        atMs += gap;
        return arrival(atMs * MS, { batchSize, shapeKey: String(batchSize % 2) });
      });
    });
  const anySetting = fc.record({
    instances: fc.integer({ min: 1, max: 4 }),
    batch: fc.option(
      fc.record({
        maxBatchSize: fc.integer({ min: 4, max: 16 }),
        preferredBatchSizes: fc.uniqueArray(fc.integer({ min: 1, max: 4 }), { maxLength: 2 }),
        maxQueueDelayNs: fc.integer({ min: 0, max: 20 }).map((ms) => ms * MS),
      }),
      { nil: undefined },
    ),
  });

  it("answers every request, never sooner than an execution takes, and the same each time", async () => {
    await fc.assert(
      fc.asyncProperty(anyTraffic, anySetting, fc.boolean(), async (arrivals, proposed, sendsAhead) => {
        const asked = question(
          { arrivals, executions: [...executions(1, 3 * MS), ...executions(4, 6 * MS)] },
          { proposed, sendsAhead },
        );
        const answer = await whatIf(asked);
        expect(answer).toEqual(await whatIf(asked));
        expect(answer.proposed.unanswered).toBe(0);
        expect(answer.proposed.p50Ns).toBeGreaterThanOrEqual(3 * MS);
        expect(answer.proposed.p99Ns ?? 0).toBeGreaterThanOrEqual(answer.proposed.p50Ns ?? 0);
        expect(answer.proposed.busy).toBeLessThanOrEqual(1);
        expect(answer.proposed.meanBatch ?? 0).toBeLessThanOrEqual(proposed.batch?.maxBatchSize ?? 4);
      }),
      { numRuns: 60 },
    );
  });

  it("finds of a simulated past what that past was", async () => {
    const past = simulate({
      scheduler: { kind: "dynamic", batch: batch(8, 2 * MS) },
      instances: 2,
      serviceNs: (size) => (4 + size) * MS,
      arrivals: recorded(every(2, 400)),
    });
    const outcomes = [...past.outcomes];
    const arrivals = outcomes.map(({ arrivedNs, endNs }) => arrival(arrivedNs, { totalNs: endNs - arrivedNs }));
    const ends = new Map(outcomes.map((one) => [one.batchId, one]));
    const seen = [...ends.values()].map(({ endNs, startNs, batchSize }) => ({
      endNs,
      batchSize,
      ns: endNs - startNs,
      restNs: 0,
    }));
    const setting = { instances: 2, batch: batch(8, 2 * MS) };
    const { measured, present } = await whatIf(
      question({ arrivals, executions: seen }, { present: setting, proposed: setting }),
    );
    expect(present.p50Ns).toBe(measured.p50Ns);
    expect(present.p99Ns).toBe(measured.p99Ns);
    expect(present.meanBatch).toBeCloseTo(measured.meanBatch ?? 0, 9);
    expect(present.requestsPerSecond).toBeCloseTo(measured.requestsPerSecond, 6);
    expect(present.busy).toBeCloseTo(measured.busy, 6);
  });
});

describe("serviceTimes()", () => {
  const draws = (service: ReturnType<typeof serviceTimes>, batchSize: number, restNs = 0) => {
    const random = seededRandom(3);
    return new Set(Array.from({ length: 200 }, () => (service?.draw({ batchSize, restNs }, random) ?? 0) / MS));
  };

  it("draws sizes it knows from what they took, and others from what is usual for them with what came beside it", () => {
    const seen = [...executions(1, 2 * MS, 30), ...executions(1, 4 * MS, 10), ...executions(4, 8 * MS, 10)];
    const service = serviceTimes(seen, [{ batchSize: 8, ns: 20 * MS, executions: 10 }]);
    expect(draws(service, 1)).toEqual(new Set([2, 4]));
    // Usual are 2 ms for 1 and 8 for 4, so 4 for 2; now and then it takes 2 ms more.
    expect(draws(service, 2)).toEqual(new Set([4, 6]));
    expect(service?.points.map(({ batchSize, source }) => [batchSize, source])).toEqual([
      [1, "recent"],
      [4, "recent"],
      [8, "load"],
    ]);
    expect(serviceTimes([], [])).toBeUndefined();
  });

  it("takes an execution behind a rest to be as long as those that came behind such a rest", () => {
    const seen = [
      ...executions(1, MS, 100),
      ...executions(1, 3 * MS, 30, 4 * MS),
      ...executions(2, 1.5 * MS, 40),
      ...executions(1, 9 * MS, 3, 100 * MS),
    ];
    const service = serviceTimes(seen, []);
    expect(draws(service, 1)).toEqual(new Set([1]));
    expect(draws(service, 1, 5 * MS)).toEqual(new Set([3]));
    // Three are too few to draw from: the longest rest that came often enough is the most alike.
    expect(draws(service, 1, 1_000 * MS)).toEqual(new Set([3]));
    expect(draws(service, 2)).toEqual(new Set([1.5]));
    expect(draws(service, 2, 5 * MS)).toEqual(new Set([3.5]));
  });

  it("does not take a size for slow that came only while the machine was held up", () => {
    const seen = [...executions(1, MS, 100), ...executions(3, 40 * MS, 1), ...executions(4, 1.5 * MS, 100)];
    const service = serviceTimes(seen, []);
    expect(Math.max(...draws(service, 3))).toBeLessThan(3);
    const known = serviceTimes(seen, [{ batchSize: 3, ns: 1.3 * MS, executions: 50 }]);
    expect(Math.max(...draws(known, 3))).toBeLessThan(3);
  });
});

describe("poolRising()", () => {
  it("rises, keeps the weight and the weighted mean, and leaves alone what rises already", () => {
    const point = fc.record({ value: fc.integer({ min: 0, max: 100 }), weight: fc.integer({ min: 1, max: 50 }) });
    fc.assert(
      fc.property(fc.array(point, { minLength: 1, maxLength: 30 }), (values) => {
        const points = values.map((one, at) => ({ at, ...one }));
        const pools = poolRising(points);
        const sum = (list: typeof pools, of: "at" | "value") =>
          list.reduce((total, one) => total + one[of] * one.weight, 0);
        for (const [place, { at, value }] of pools.entries()) {
          const { at: atBefore, value: before } = pools[place - 1] ?? { at: -1, value: -1 };
          expect(value).toBeGreaterThan(before);
          expect(at).toBeGreaterThan(atBefore);
        }
        for (const of of ["at", "value"] as const) expect(sum(pools, of)).toBeCloseTo(sum(points, of), 6);
        const rising = points.map((one) => ({ ...one, value: one.at }));
        expect(poolRising(rising)).toEqual(rising);
      }),
    );
  });
});
