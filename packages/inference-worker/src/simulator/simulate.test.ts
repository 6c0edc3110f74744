import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type CostClass, NO_ADMISSION_LIMITS, NO_QUEUE_POLICY, type QueuePolicy } from "../scheduler/policy.ts";
import { bursts, merge, poisson, type SimulatedArrival, uniform } from "./arrivals.ts";
import { latencyCurve } from "./latency-curve.ts";
import { exponential, seededRandom } from "./random.ts";
import { type SimulatedScheduler, type SimulationSetup, simulate } from "./simulate.ts";
import { Auditor } from "./testing/auditor.ts";

const MS = 1e6;
const UNLIMITED = Number.POSITIVE_INFINITY;
const LIMIT_MS = 120_000;

const policyArbitrary: fc.Arbitrary<QueuePolicy> = fc.record({
  maxQueueSize: fc.constantFrom(0, 0, 15, 60),
  defaultTimeoutNs: fc.constantFrom(0, 3 * MS, 12 * MS, 60 * MS),
  allowTimeoutOverride: fc.boolean(),
  timeoutAction: fc.constantFrom("REJECT", "DELAY"),
});

const classesArbitrary: fc.Arbitrary<CostClass[]> = fc
  .array(
    fc.record({
      maxQueued: fc.constantFrom(0, 40),
      maxExecuting: fc.constantFrom(0, 1, 3, 8),
      weight: fc.integer({ min: 1, max: 8 }),
    }),
    { minLength: 2, maxLength: 3 },
  )
  .map((classes) =>
    classes.map((details, index) => ({
      name: `c${index}`,
      maxCost: index === classes.length - 1 ? UNLIMITED : 10 * 5 ** index,
      ...details,
    })),
  );

const admissionArbitrary = fc.record({
  maxRequests: fc.constantFrom(50, 300),
  maxBytes: fc.constantFrom(0, 5000),
  maxPredictedWaitNs: fc.constantFrom(0, 0, 20 * MS),
  classes: fc.oneof(fc.constant([]), fc.constant([]), classesArbitrary),
});

const schedulerArbitrary: fc.Arbitrary<SimulatedScheduler> = fc
  .record({
    kind: fc.constantFrom("dynamic", "dynamic", "dynamic", "default"),
    maxBatchSize: fc.integer({ min: 1, max: 16 }),
    preferred: fc.uniqueArray(fc.integer({ min: 1, max: 16 }), { maxLength: 3 }),
    maxQueueDelayNs: fc.constantFrom(0, 0, MS / 5, 2 * MS, 20 * MS),
    levels: fc.integer({ min: 0, max: 4 }),
    defaultLevel: fc.integer({ min: 1, max: 4 }),
    defaultPolicy: policyArbitrary,
    byLevel: fc.array(fc.tuple(fc.integer({ min: 1, max: 4 }), policyArbitrary), { maxLength: 2 }),
    admission: admissionArbitrary,
  })
  .map(({ kind, admission, ...made }) => {
    if (kind === "default") return { kind: "default", admission };
    const preferredBatchSizes = made.preferred.filter((size) => size <= made.maxBatchSize).sort((a, b) => a - b);
    const { levels, defaultPolicy, maxBatchSize, maxQueueDelayNs } = made;
    return {
      kind: "dynamic",
      batch: {
        maxBatchSize,
        maxQueueDelayNs,
        preferredBatchSizes: preferredBatchSizes.length > 0 ? preferredBatchSizes : [maxBatchSize],
      },
      priorities: {
        levels,
        defaultLevel: Math.min(made.defaultLevel, Math.max(1, levels)),
        defaultPolicy,
        byLevel: new Map(made.byLevel),
      },
      admission,
    };
  });

const setupArbitrary = (count: number): fc.Arbitrary<SimulationSetup> =>
  fc
    .record({
      scheduler: schedulerArbitrary,
      instances: fc.integer({ min: 1, max: 4 }),
      load: fc.constantFrom(0.3, 0.9, 1.5, 4),
      largest: fc.integer({ min: 1, max: 4 }),
      shapes: fc.constantFrom(1, 1, 2),
      deadlines: fc.constantFrom(0, 0.2),
      cancels: fc.constantFrom(0, 0.1),
      isBursty: fc.boolean(),
      sendsAhead: fc.boolean(),
      seed: fc.integer(),
    })
    .map(({ scheduler, instances, load, largest, shapes, deadlines, cancels, isBursty, sendsAhead, seed }) => {
      const maxBatchSize = scheduler.kind === "dynamic" ? scheduler.batch.maxBatchSize : 1;
      const random = seededRandom(seed);
      const serviceNs = latencyCurve([
        { batchSize: 1, ns: 1 * MS },
        { batchSize: 16, ns: 4 * MS },
      ]);
      const perSecond = (load * instances * maxBatchSize * 1e9) / serviceNs(maxBatchSize) / ((1 + largest) / 2);
      const describeArrival = ({ atNs }: { atNs: number }) => ({
        batchSize: Math.min(maxBatchSize, Math.floor(random() * (largest + 1))),
        shapeKey: String(Math.floor(random() ** 3 * shapes)),
        priority: Math.floor(random() * 6),
        timeoutNs: random() < 0.3 ? random() * 20 * MS : 0,
        deadlineNs: random() < deadlines ? atNs + random() * 30 * MS : UNLIMITED,
        byteLength: Math.floor(random() * 100),
        cost: 1 + Math.floor(random() ** 4 * 200),
        cancelAtNs: random() < cancels ? atNs + random() * 10 * MS : undefined,
      });
      const common = { count, seed, describe: describeArrival };
      const size = 20;
      const arrivals = isBursty
        ? bursts({ ...common, size, everyNs: (size * 1e9) / perSecond })
        : poisson({ ...common, ratePerSecond: perSecond });
      const jittered = (size: number) => serviceNs(size) * (0.5 + random());
      return { scheduler, instances, sendsAhead, serviceNs: jittered, arrivals };
    });

describe("the queue in virtual time", () => {
  it(
    "keeps every rule of batches, order, priorities, limits, time-outs, deadlines and classes, for 840,000 requests",
    () => {
      let requests = 0;
      fc.assert(
        fc.property(setupArbitrary(6000), (setup) => {
          const auditor = new Auditor(setup);
          simulate(auditor.setup);
          auditor.finish();
          requests += auditor.requests;
        }),
        { numRuns: 140, endOnFailure: true },
      );
      expect(requests).toBe(840_000);
    },
    LIMIT_MS,
  );

  it("gives the same result for the same setup", () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const outcomes = [1, 2].map(() => {
          const [setup] = fc.sample(setupArbitrary(500), { seed, numRuns: 1 });
          return setup && [...simulate(setup).outcomes];
        });
        expect(outcomes[0]).toHaveLength(500);
        expect(outcomes[0]).toEqual(outcomes[1]);
      }),
      { numRuns: 10 },
    );
  });

  it("serves one after the other in the order of arrival, and no one waits longer than what was before takes", () => {
    const setup: SimulationSetup = {
      scheduler: { kind: "default" },
      instances: 1,
      serviceNs: () => MS,
      arrivals: poisson({ count: 20_000, ratePerSecond: 1500, seed: 7 }),
    };
    const { outcomes, totals } = simulate(setup);
    let freeNs = 0;
    for (const { arrivedNs, startNs, endNs, kind } of outcomes) {
      expect(kind === "executed" && startNs === Math.max(arrivedNs, freeNs)).toBe(true);
      freeNs = endNs;
    }
    expect(totals.byKind.executed).toBe(20_000);
    expect(totals.utilization).toBeGreaterThan(0.99);
  });

  it("agrees with the formula for a queue of independent clients and one server", () => {
    const random = seededRandom(3);
    const { totals } = simulate({
      scheduler: { kind: "default" },
      instances: 1,
      serviceNs: () => exponential(random, MS),
      arrivals: poisson({ count: 100_000, ratePerSecond: 600, seed: 4 }),
    });
    // M/M/1: the mean time in the system is 1 / (service rate - arrival rate).
    expect(totals.latency.mean / MS).toBeCloseTo(1 / (1 - 0.6), 1);
    expect(totals.utilization).toBeCloseTo(0.6, 1);
  });
});

/** Two streams at once: a gentle one and a flood of four times what the instances can do. */
function flooded(gentle: Partial<SimulatedArrival>, flood: Partial<SimulatedArrival>): Iterable<SimulatedArrival> {
  return merge(
    poisson({ count: 4_000, ratePerSecond: 200, seed: 11, describe: gentle }),
    uniform({ count: 80_000, ratePerSecond: 4000, describe: flood }),
  );
}

function longestWaits(setup: SimulationSetup, isOne: (index: number) => boolean) {
  const waits = { one: 0, other: 0, oneExecuted: 0, otherExecuted: 0 };
  for (const { index, kind, arrivedNs, startNs } of simulate(setup).outcomes) {
    if (kind !== "executed") continue;
    const which = isOne(index) ? "one" : "other";
    waits[which] = Math.max(waits[which], startNs - arrivedNs);
    waits[`${which}Executed`] += 1;
  }
  return waits;
}

const isGentle = (arrivals: Iterable<SimulatedArrival>, test: (arrival: SimulatedArrival) => boolean) => {
  const gentle = new Set([...arrivals].flatMap((arrival, index) => (test(arrival) ? [index] : [])));
  return (index: number) => gentle.has(index);
};

describe("no starvation", () => {
  it("level 1 does not notice a flood at level 2", () => {
    const arrivals = [...flooded({ priority: 1 }, { priority: 2 })];
    const waits = longestWaits(
      {
        scheduler: {
          kind: "dynamic",
          batch: { maxBatchSize: 1, preferredBatchSizes: [1], maxQueueDelayNs: 0 },
          priorities: {
            levels: 2,
            defaultLevel: 2,
            defaultPolicy: { ...NO_QUEUE_POLICY, maxQueueSize: 100 },
            byLevel: new Map(),
          },
        },
        instances: 1,
        serviceNs: () => MS,
        arrivals,
      },
      isGentle(arrivals, ({ priority }) => priority === 1),
    );
    expect(waits.oneExecuted).toBe(4_000);
    expect(waits.one).toBeLessThan(8 * MS);
    expect(waits.other).toBeGreaterThan(100 * MS);
  });

  const classes = (small: Partial<CostClass>, large: Partial<CostClass>): SimulatedScheduler => ({
    kind: "dynamic",
    batch: { maxBatchSize: 8, preferredBatchSizes: [8], maxQueueDelayNs: 0 },
    admission: {
      ...NO_ADMISSION_LIMITS,
      classes: [
        { name: "small", maxCost: 10, maxQueued: 200, maxExecuting: 0, weight: 1, ...small },
        { name: "large", maxCost: UNLIMITED, maxQueued: 200, maxExecuting: 0, weight: 1, ...large },
      ],
    },
  });
  const byCost = (_size: number, items: readonly { cost: number }[]) =>
    items.reduce((sum, { cost }) => sum + cost, 0) * 0.05 * MS;

  it("small requests do not wait for a flood of large ones, which get the rest", () => {
    const arrivals = [...flooded({ cost: 1 }, { cost: 100 })];
    const isSmall = isGentle(arrivals, ({ cost }) => cost === 1);
    const waits = longestWaits(
      { scheduler: classes({}, { maxExecuting: 1 }), instances: 1, serviceNs: byCost, arrivals },
      isSmall,
    );
    expect(waits.oneExecuted).toBe(4_000);
    // One large one that is executing, and the small ones that came meanwhile.
    expect(waits.one).toBeLessThan(12 * MS);
    expect(waits.otherExecuted).toBeGreaterThan(3_500);
  });

  it("large requests do not wait for ever in a flood of small ones", () => {
    const arrivals = [
      ...merge(
        poisson({ count: 400, ratePerSecond: 20, seed: 5, describe: { cost: 100 } }),
        uniform({ count: 1_000_000 / 10, ratePerSecond: 50_000, describe: { cost: 1 } }),
      ),
    ];
    const waits = longestWaits(
      { scheduler: classes({ weight: 4 }, {}), instances: 1, serviceNs: byCost, arrivals },
      isGentle(arrivals, ({ cost }) => cost === 100),
    );
    expect(waits.oneExecuted).toBe(400);
    expect(waits.one).toBeLessThan(300 * MS);
  });

  it.each([
    [1, 1],
    [4, 1],
    [1, 3],
  ])("classes that flood share the instances' time %i to %i", (small, large) => {
    const busyNs = { small: 0, large: 0 };
    simulate({
      scheduler: classes({ weight: small }, { weight: large }),
      instances: 2,
      serviceNs: (size, items) => byCost(size, items) + MS,
      arrivals: merge(
        uniform({ count: 60_000, ratePerSecond: 20_000, describe: { cost: 2 } }),
        uniform({ count: 6_000, ratePerSecond: 2000, describe: { cost: 60 } }),
      ),
      onBatch: ({ sentNs, items }) => {
        // While both wait: not before the queues have filled, nor after the last arrival.
        if (sentNs < 200 * MS || sentNs > 2_900 * MS) return;
        busyNs[(items[0]?.cost ?? 0) > 10 ? "large" : "small"] += byCost(items.length, items) + MS;
      },
      onOutcome: () => undefined,
    });
    expect(busyNs.small / (busyNs.small + busyNs.large)).toBeCloseTo(small / (small + large), 1);
  });
});
