import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bursts, merge, poisson, recorded, uniform } from "./arrivals.ts";
import { EventHeap } from "./event-heap.ts";
import { latencyCurve } from "./latency-curve.ts";
import { OutcomeTable } from "./outcomes.ts";
import { seededRandom } from "./random.ts";
import { simulate } from "./simulate.ts";

const times = (arrivals: Iterable<{ atNs: number }>) => [...arrivals].map(({ atNs }) => atNs);

describe("arrivals", () => {
  it("come at the rate that was asked for", () => {
    const last = times(poisson({ count: 50_000, ratePerSecond: 1000 })).at(-1) ?? 0;
    expect(last / 1e9).toBeGreaterThan(48);
    expect(last / 1e9).toBeLessThan(52);
    expect(times(uniform({ count: 3, ratePerSecond: 10, fromNs: 5 }))).toEqual([5, 1e8 + 5, 2e8 + 5]);
    expect(times(bursts({ count: 5, size: 2, everyNs: 10 }))).toEqual([0, 0, 10, 10, 20]);
  });

  it("are the same for the same seed and others for another one", () => {
    const made = (seed: number) => times(poisson({ count: 10, ratePerSecond: 1, seed }));
    expect(made(1)).toEqual(made(1));
    expect(made(1)).not.toEqual(made(2));
  });

  it("are described one by one, and merged and replayed in order of time", () => {
    const described = [
      ...uniform({ count: 2, ratePerSecond: 1, describe: ({ index }) => ({ cost: index, priority: 3 }) }),
    ];
    expect(described[1]).toMatchObject({ atNs: 1e9, cost: 1, priority: 3, batchSize: 1 });
    const list = recorded([{ atNs: 7 }, { atNs: 3, batchSize: 4 }]);
    expect(list.map(({ atNs, batchSize }) => [atNs, batchSize])).toEqual([
      [3, 4],
      [7, 1],
    ]);
    expect(times(merge(list, recorded([{ atNs: 1 }, { atNs: 5 }, { atNs: 9 }]), []))).toEqual([1, 3, 5, 7, 9]);
  });
});

describe("seededRandom()", () => {
  it("is spread evenly", () => {
    const random = seededRandom(42);
    const tenths = new Array<number>(10).fill(0);
    for (let n = 0; n < 100_000; n++) {
      const tenth = Math.floor(random() * 10);
      tenths[tenth] = (tenths[tenth] ?? 0) + 1;
    }
    expect(Math.min(...tenths)).toBeGreaterThan(9_600);
    expect(Math.max(...tenths)).toBeLessThan(10_400);
  });
});

describe("latencyCurve()", () => {
  it("is straight between the points and beyond them", () => {
    const curve = latencyCurve([
      { batchSize: 8, ns: 800 },
      { batchSize: 2, ns: 200 },
      { batchSize: 16, ns: 2400 },
    ]);
    expect([1, 2, 5, 8, 12, 32].map(curve)).toEqual([200, 200, 500, 800, 1600, 5600]);
    expect([1, 4].map(latencyCurve([{ batchSize: 1, ns: 10 }]))).toEqual([10, 40]);
  });

  it("looked through all of thousands of sizes for each execution, and nothing was served meanwhile", () => {
    const sizes = Array.from({ length: 40_000 }, (_, at) => ({ batchSize: at + 1, ns: 3 * at }));
    const curve = latencyCurve(sizes);
    const { user } = process.cpuUsage();
    expect(sizes.map(({ batchSize }) => curve(batchSize))).toEqual(sizes.map(({ ns }) => ns));
    // It was more than half a second.
    expect((process.cpuUsage().user - user) / 1000).toBeLessThan(200);
  });

  it("needs a point", () => {
    expect(() => latencyCurve([])).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT" }));
  });
});

describe("EventHeap", () => {
  it("gives events in order of time, those of one moment in the order they were added", () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 20 }), { maxLength: 200 }), (moments) => {
        const heap = new EventHeap<{ atNs: number; serial: number }>();
        moments.forEach((atNs, serial) => {
          heap.push({ atNs, serial });
        });
        const popped = moments.map(() => heap.pop());
        const sorted = moments.map((atNs, serial) => ({ atNs, serial })).sort((a, b) => a.atNs - b.atNs);
        expect(popped).toEqual(sorted);
        expect(heap.pop()).toBeUndefined();
        expect(heap.nearestNs).toBe(Number.POSITIVE_INFINITY);
      }),
    );
  });
});

describe("OutcomeTable", () => {
  it("gives back what was put in, in whatever order", () => {
    const table = new OutcomeTable();
    const outcome = (index: number) => ({
      index,
      kind: "executed" as const,
      arrivedNs: 1,
      startNs: 2 ** 52,
      endNs: 3,
      batchId: 4,
      batchSize: 5,
      instance: 6,
    });
    for (const index of [5000, 1]) table.add(outcome(index));
    expect([...table]).toEqual([outcome(1), outcome(5000)]);
    expect(table.length).toBe(5001);
    expect(table.at(2)).toBeUndefined();
  });
});

describe("simulate()", () => {
  const batch = { maxBatchSize: 4, preferredBatchSizes: [4], maxQueueDelayNs: 0 };

  it("tells of each request what became of it, and adds up", () => {
    const priorities = {
      levels: 0,
      defaultLevel: 0,
      defaultPolicy: {
        maxQueueSize: 4,
        defaultTimeoutNs: 150,
        allowTimeoutOverride: true,
        timeoutAction: "REJECT" as const,
      },
      byLevel: new Map(),
    };
    const { outcomes, totals } = simulate({
      scheduler: { kind: "dynamic", batch, priorities },
      instances: 1,
      serviceNs: () => 100,
      arrivals: recorded([
        { atNs: 0 },
        { atNs: 1 },
        { atNs: 2, cancelAtNs: 50 },
        { atNs: 3, timeoutNs: 7 },
        { atNs: 4, deadlineNs: 60 },
        { atNs: 5 },
      ]),
    });
    expect([...outcomes].map(({ kind, endNs }) => [kind, endNs])).toEqual([
      ["executed", 100],
      ["executed", 200],
      ["cancelled", 50],
      ["expired", 10],
      ["deadline", 60],
      ["refused", 5],
    ]);
    expect(outcomes.at(1)).toMatchObject({ arrivedNs: 1, startNs: 100, batchId: 1, batchSize: 1, instance: 0 });
    expect(totals).toMatchObject({
      requests: 6,
      durationNs: 200,
      utilization: 1,
      batchSizes: new Map([[1, 2]]),
      byKind: { executed: 2, refused: 1, expired: 1, deadline: 1, cancelled: 1, unfinished: 0 },
      latency: { p50: 100, max: 199 },
      wait: { mean: 49.5 },
    });
  });

  it("lets full batches wait at a busy instance, which goes on with them", () => {
    const sent: [number, number][] = [];
    const { outcomes } = simulate({
      scheduler: { kind: "dynamic", batch },
      instances: 1,
      sendsAhead: true,
      serviceNs: () => 100,
      arrivals: recorded(Array.from({ length: 6 }, (_, index) => ({ atNs: index }))),
      onBatch: ({ sentNs, items }) => sent.push([sentNs, items.length]),
    });
    expect(sent).toEqual([
      [0, 1],
      [4, 4],
      [200, 1],
    ]);
    expect([...outcomes].map(({ startNs }) => startNs)).toEqual([0, 100, 100, 100, 100, 200]);
  });

  it("refuses arrivals that go back in time", () => {
    const arrivals = recorded([{ atNs: 0 }, { atNs: 9 }]).reverse();
    const run = () => simulate({ scheduler: { kind: "default" }, instances: 1, serviceNs: () => 1, arrivals });
    expect(run).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT" }));
  });
});
