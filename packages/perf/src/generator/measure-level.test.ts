import { describe, expect, it } from "vitest";
import type { LoadRecord } from "../load/load-record.ts";
import { countersOf, recordOf } from "../load/testing/records.ts";
import { type MeasureDeps, type MeasurePlan, measureLevel } from "./measure-level.ts";
import { spec } from "./testing/spec.ts";

const plan: MeasurePlan = {
  spec: { ...spec, shape: { kind: "closed", concurrency: 4 } },
  measurement: { kind: "time_windows", intervalMs: 1000 },
  rule: { tolerance: 0.1, percentile: undefined, maxWindows: 5, latencyLimitMs: 0, batch: 1 },
  warmUpRequests: 0,
  warmUpMs: 0,
  processes: 1,
  mostProcesses: 1,
  models: ["m"],
};

interface World {
  /** Milliseconds that a request takes, by the second it ends in. */
  readonly latency: (second: number) => number;
  readonly ok?: boolean;
  readonly cpu?: number;
  readonly stopAtMs?: number;
}

/** A server that answers every 10 ms, on a clock that only pauses move; the generator hands over what ended 3 ms after it was asked too. */
function fake({ latency, ok = true, cpu = 0.1, stopAtMs = Number.POSITIVE_INFINITY }: World) {
  let now = 0;
  let flushedMs = 0;
  const starts: { readonly processes: number; readonly total: number | undefined }[] = [];
  const windows: number[] = [];
  let stops = 0;
  const deps: MeasureDeps = {
    fleet: {
      start: async ({ total }, processes) => {
        starts.push({ processes, total });
        flushedMs = now;
        return { ended: total === undefined ? new Promise<void>(() => undefined) : Promise.resolve() };
      },
      flush: async () => {
        const records: LoadRecord[] = [];
        const untilMs = now + 3;
        for (let endMs = Math.ceil(flushedMs / 10) * 10; endMs < untilMs; endMs += 10) {
          const ms = latency(Math.floor(endMs / 1000));
          records.push(recordOf(endMs - ms, ms, { endMs, ok }));
        }
        flushedMs = untilMs;
        const failure = ok ? undefined : "HTTP status 503: busy";
        return { records, generator: { cpu, lagMs: 0, processes: starts.at(-1)?.processes ?? 0, stolen: 0 }, failure };
      },
      stop: async () => {
        stops += 1;
      },
    },
    nowMs: () => now,
    pause: async (ms) => {
      now += ms;
    },
    stopped: () => now >= stopAtMs,
    counters: async () => [countersOf("m", now / 10)],
    idleProcessors: () => 1,
    onWindow: (_number, window) => windows.push(window.requests.length),
  };
  return { deps, starts, windows, stops: () => stops };
}

describe("measureLevel()", () => {
  it("merges three windows that agree, and loses no request between them", async () => {
    const world = fake({ latency: () => 5 });
    const { window, verdict } = await measureLevel(plan, world.deps);
    expect([verdict, window.requests.length, window.durationMs]).toEqual(["stable", 360, 3600]);
    expect(world.windows).toEqual([120, 120, 120]);
    expect(window.server[0]?.inferences).toBe(360);
    expect(world.stops()).toBe(1);
  });

  it("goes on while windows differ, and gives up after the last", async () => {
    const calm = fake({ latency: (second) => (second < 3 ? 50 : 5) });
    expect((await measureLevel(plan, calm.deps)).verdict).toBe("unstable");
    const { verdict, window } = await measureLevel(
      { ...plan, rule: { ...plan.rule, maxWindows: 10 } },
      fake({ latency: (second) => (second < 3 ? 50 : 5) }).deps,
    );
    expect([verdict, window.fromMs]).toEqual(["stable", 3600]);
    expect(calm.windows).toHaveLength(5);
  });

  it("waits in count mode until there are enough", async () => {
    const world = fake({ latency: () => 5 });
    await measureLevel({ ...plan, measurement: { kind: "count_windows", requests: 250 } }, world.deps);
    expect(world.windows).toEqual([300, 300, 300]);
  });

  it("sends warm-up requests first, and exactly as many as were asked for", async () => {
    const world = fake({ latency: () => 5 });
    const { verdict } = await measureLevel(
      { ...plan, warmUpRequests: 7, measurement: { kind: "fixed", requests: 20 } },
      world.deps,
    );
    expect([verdict, world.starts]).toEqual([
      "stable",
      [
        { processes: 1, total: 7 },
        { processes: 1, total: 20 },
      ],
    ]);
  });

  it("leaves a time of warm-up out", async () => {
    const { window, verdict } = await measureLevel(
      { ...plan, warmUpMs: 3000 },
      fake({ latency: (second) => (second < 3 ? 90 : 5) }).deps,
    );
    expect([verdict, window.fromMs, window.requests.length]).toEqual(["stable", 3000, 360]);
  });

  it("begins again with one process more while the generator is the bottleneck", async () => {
    const world = fake({ latency: () => 5, cpu: 1 });
    const { processes } = await measureLevel({ ...plan, mostProcesses: 3 }, world.deps);
    expect([processes, world.starts.map((start) => start.processes)]).toEqual([3, [1, 2, 3]]);
  });

  it("tells what there is when it is stopped", async () => {
    const { verdict, window } = await measureLevel(plan, fake({ latency: () => 5, stopAtMs: 2000 }).deps);
    expect([verdict, window.requests.length]).toEqual(["stopped", 240]);
  });

  it("names the first failure when nothing was answered", async () => {
    await expect(measureLevel(plan, fake({ latency: () => 5, ok: false }).deps)).rejects.toThrow(
      "HTTP status 503: busy",
    );
    const silent = { ...plan, measurement: { kind: "time_windows" as const, intervalMs: 0 } };
    await expect(measureLevel(silent, fake({ latency: () => 5 }).deps)).rejects.toThrow("larger time window");
  });
});
