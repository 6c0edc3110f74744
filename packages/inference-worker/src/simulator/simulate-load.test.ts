import { describe, expect, it } from "vitest";
import type { LoadSetup } from "./load-setup.ts";
import { simulateLoad } from "./simulate-load.ts";

const SETUP: LoadSetup = {
  scheduler: { kind: "dynamic", batch: { maxBatchSize: 8, preferredBatchSizes: [8], maxQueueDelayNs: 0 } },
  instances: 1,
  sendsAhead: false,
  processors: 4,
  costs: {
    clientNs: 10_000,
    frontInNs: 10_000,
    frontOutNs: 5_000,
    batchNs: () => 10_000,
    executeNs: (batchSize) => 100_000 + 10_000 * batchSize,
    threads: 1,
    onDevice: false,
    transitNs: 5_000,
  },
  load: { kind: "closed", concurrency: 1 },
  requestBatch: 1,
  warmUp: 50,
  requests: 1_000,
  seed: 1,
};
const closed = (concurrency: number, more: Partial<LoadSetup> = {}) =>
  simulateLoad({ ...SETUP, load: { kind: "closed", concurrency }, ...more });

describe("simulateLoad()", () => {
  it("adds up the way of a lonely request", () => {
    const { latenciesNs, throughput } = closed(1);
    // Transit, reading, handing over, execution, taking back, writing, the client.
    const wholeNs = 5_000 + 10_000 + 5_000 + 110_000 + 5_000 + 5_000 + 10_000;
    expect(latenciesNs[500]).toBeCloseTo(wholeNs, 0);
    expect(throughput).toBeCloseTo(1e9 / wholeNs, 3);
  });

  it("fills batches when many are in flight, and never beyond the largest", () => {
    const { meanBatch, throughput } = closed(64);
    expect(meanBatch).toBeGreaterThan(7.5);
    expect(meanBatch).toBeLessThanOrEqual(8);
    expect(throughput).toBeGreaterThan(closed(1).throughput * 4);
  });

  it("shares processors: two instances on one get as much as one", () => {
    const heavy = { costs: { ...SETUP.costs, executeNs: () => 1_000_000 }, scheduler: { kind: "default" } } as const;
    const of = (instances: number, processors: number) => closed(16, { ...heavy, instances, processors }).throughput;
    expect(of(2, 4) / of(1, 4)).toBeGreaterThan(1.9);
    expect(of(2, 1) / of(1, 1)).toBeLessThan(1.05);
    expect(closed(16, { ...heavy, instances: 2, processors: 1 }).busy).toBeGreaterThan(0.99);
  });

  it("executes on a device beside the processors, one after the other", () => {
    const costs = { ...SETUP.costs, executeNs: () => 1_000_000, onDevice: true };
    const { throughput, busy } = closed(16, { costs, instances: 4, scheduler: { kind: "default" } });
    expect(throughput).toBeLessThan(1010);
    expect(throughput).toBeGreaterThan(950);
    expect(busy).toBeLessThan(0.2);
  });

  it("counts latencies of an open loop from when requests were due, whatever became of earlier ones", () => {
    const atNs = Array.from({ length: 500 }, (_, index) => index * 50_000);
    const { latenciesNs, throughput } = simulateLoad({
      ...SETUP,
      scheduler: { kind: "default" },
      load: { kind: "open", atNs },
      warmUp: 0,
      requests: 500,
    });
    expect(throughput).toBeLessThan(9_000);
    // Twice as many come as are answered: the last waits half of all the time.
    expect(latenciesNs.at(-1)).toBeGreaterThan(25e6);
    expect(latenciesNs.length).toBe(500);
  });

  it("ends where everything is refused or nothing comes, and says the same for the same setup", () => {
    expect(closed(32)).toEqual(closed(32));
    expect(simulateLoad({ ...SETUP, load: { kind: "open", atNs: [] } }).latenciesNs.length).toBe(0);
    expect(() => closed(0)).toThrow("at least one request");
  });
});
