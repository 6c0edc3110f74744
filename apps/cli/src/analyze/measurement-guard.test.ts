import { expect, it } from "vitest";
import { MeasurementGuard } from "./measurement-guard.ts";
import type { LiveSecond, MeasureOrder, TuningDeps } from "./tuning-deps.ts";

const ORDER: MeasureOrder = {
  model: "m",
  load: "concurrency",
  level: 1,
  requestBatch: 1,
  seconds: 1,
  fresh: false,
  signal: new AbortController().signal,
};
const LIMIT_MS = 20;

/** A served model of which `late` of 100 requests a second are late, and a clock that goes on while somebody waits. */
function world(late: () => number, stopMs = Number.POSITIVE_INFINITY) {
  let nowMs = 0;
  let tell: (second: LiveSecond | null) => void = () => undefined;
  let measurements = 0;
  const second = () => {
    nowMs += 1000;
    const count = late();
    tell({ p99Ms: count > 1 ? 2 * LIMIT_MS : 1, requests: 100, later: () => count });
  };
  const deps = {
    live: {
      watch: (onSecond: typeof tell) => {
        tell = onSecond;
        return () => undefined;
      },
    },
    measurer: {
      measure: () => {
        measurements += 1;
        return Promise.resolve({ measurement: {} });
      },
    },
    nowMs: () => nowMs,
    stopAsked: () => nowMs >= stopMs,
    pause: () => Promise.resolve(second()),
  } as unknown as TuningDeps;
  const guard = new MeasurementGuard({ liveP99Ms: LIMIT_MS, freeMemoryMb: 0, busyShare: 1 }, deps);
  return { guard, second, nowMs: () => nowMs, measurements: () => measurements };
}

it("rests after late answers until they are few among all, and not for ever", async () => {
  let late = 5;
  const { guard, second, nowMs, measurements } = world(() => late);
  second();
  expect(nowMs()).toBe(1000);
  late = 0;
  await guard.measure(ORDER);
  // 5 of 700 are fewer than 0.8 %.
  expect([nowMs(), measurements()]).toEqual([7_000, 1]);
  late = 50;
  await guard.measure(ORDER);
  expect([nowMs(), measurements()]).toEqual([7_000, 2]);
  second();
  await guard.measure(ORDER);
  expect([nowMs(), measurements()]).toEqual([28_000, 3]);
});

it("did not hear that it was to stop while it rested", async () => {
  const { guard, second, nowMs, measurements } = world(() => 50, 3_000);
  second();
  expect(await guard.measure(ORDER)).toEqual({ kind: "stopped" });
  expect([nowMs(), measurements()]).toEqual([3_000, 0]);
});
