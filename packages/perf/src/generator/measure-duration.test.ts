import { expect, it } from "vitest";
import type { LoadRecord } from "../load/load-record.ts";
import { countersOf, recordOf } from "../load/testing/records.ts";
import { type DurationDeps, type DurationPlan, measureDuration } from "./measure-duration.ts";
import { spec } from "./testing/spec.ts";

const plan: DurationPlan = {
  spec: { ...spec, shape: { kind: "closed", concurrency: 4 } },
  warmUpMs: 1_500,
  durationMs: 10_000,
  goodWithinMs: 6,
  processes: 1,
  mostProcesses: 2,
  models: ["m"],
};

interface World {
  readonly latency?: (endMs: number) => number;
  readonly ok?: boolean;
  readonly cpu?: number;
  readonly stopAtMs?: number;
  /** Counters cannot be read from here to there. */
  readonly awayMs?: readonly [number, number];
}

/** A server that answers every 10 ms, on a clock that only pauses move; a flush hands over what ended 3 ms after it was asked too. */
function fake({
  latency = () => 5,
  ok = true,
  cpu = 0.1,
  stopAtMs = Number.POSITIVE_INFINITY,
  awayMs = [0, 0],
}: World) {
  let now = 0;
  let flushedMs = 0;
  const started: number[] = [];
  const seconds: boolean[] = [];
  let stops = 0;
  const deps: DurationDeps = {
    fleet: {
      start: async (_spec, processes) => {
        started.push(processes);
        flushedMs = now;
        return { ended: new Promise<void>(() => undefined) };
      },
      flush: async () => {
        const records: LoadRecord[] = [];
        const untilMs = now + 3;
        for (let endMs = Math.ceil(flushedMs / 10) * 10; endMs < untilMs; endMs += 10)
          records.push(recordOf(endMs - latency(endMs), latency(endMs), { endMs, ok }));
        flushedMs = untilMs;
        const failure = ok ? undefined : "HTTP status 503: busy";
        return { records, generator: { cpu, lagMs: 0, processes: 1, stolen: 0 }, failure };
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
    counters: async () => (now >= awayMs[0] && now < awayMs[1] ? [] : [countersOf("m", now / 10)]),
    idleProcessors: () => 1,
    onSecond: ({ counts }) => seconds.push(counts),
  };
  return { deps, started, seconds, stops: () => stops };
}

it("counts exactly what ended in its time, behind the warm-up, second by second", async () => {
  const world = fake({ latency: (endMs) => (endMs >= 11_000 ? 9 : 5) });
  const { tally, whole, failure } = await measureDuration(plan, world.deps);
  const { seconds, answered, good, server } = tally.figures;
  expect([whole, failure, seconds, answered, good]).toEqual([true, undefined, 10, 1000, 950]);
  expect(server[0]?.inferences).toBe(1000);
  expect(world.seconds).toEqual([false, false, ...Array(10).fill(true)]);
  expect(tally.percentileMs(50)).toBeCloseTo(5, 0);
  expect(tally.percentileMs(99.9)).toBeCloseTo(9, 0);
  expect(world.stops()).toBe(1);
});

it("stops when it is told to, with what it has so far", async () => {
  const { tally, whole } = await measureDuration(plan, fake({ stopAtMs: 4_000 }).deps);
  expect([whole, tally.figures.seconds]).toEqual([false, 3]);
});

it("gives a test of hours up when nothing is answered from its beginning", async () => {
  const world = fake({ ok: false });
  await expect(measureDuration({ ...plan, durationMs: 3_600_000 }, world.deps)).rejects.toMatchObject({
    code: "UNAVAILABLE",
    message: expect.stringContaining("HTTP status 503: busy"),
  });
  expect([world.seconds.length, world.stops()]).toEqual([6, 1]);
});

it("goes on while the server tells nothing of itself, and loses none of its counters", async () => {
  const { tally } = await measureDuration(plan, fake({ awayMs: [4_000, 7_000] }).deps);
  expect(tally.figures.server[0]?.inferences).toBe(1000);
});

it("begins again with another process when one has no time left", async () => {
  const world = fake({ cpu: 1 });
  await measureDuration(plan, world.deps);
  expect([world.started, world.stops()]).toEqual([[1, 2], 2]);
});
