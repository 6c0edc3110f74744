import { describe, expect, it } from "vitest";
import type { FlightCause, FlightRecord } from "./flight-record.ts";
import { FlightRecorder } from "./flight-recorder.ts";

const outcome = (totalNs: number, failed = false) => ({ model: "m", version: "1", failed, totalNs });
const record = (serial: number, id: string, causes: readonly FlightCause[]): FlightRecord => ({
  serial,
  id,
  model: "m",
  version: "1",
  causes,
  atMs: 0,
  outcome: "answered",
  totalNs: 1,
  queue: { position: 0, waitedNs: 0, priority: 0 },
  bytes: { input: 0, output: 0, copied: 0 },
  shapes: [],
});

function feed(recorder: FlightRecorder, count: number, totalNs: (index: number) => number): void {
  for (let index = 0; index < count; index++)
    recorder.offer(outcome(totalNs(index)), (causes) => record(index, `r${index}`, causes));
}

describe("flight recorder", () => {
  it("remembers every failed request and none of the ordinary ones", () => {
    const recorder = new FlightRecorder({ capacity: 10, sampleEvery: 0 });
    feed(recorder, 1000, () => 1e6);
    recorder.offer(outcome(1, true), (causes) => record(1, "bad", causes));
    expect(recorder.find({ limit: 10 }).map(({ id, causes }) => [id, causes])).toEqual([["bad", ["failed"]]]);
  });

  it("calls a request slow that took longer than almost all before it", () => {
    const recorder = new FlightRecorder({ capacity: 100, sampleEvery: 0 });
    feed(recorder, 5000, (index) => 1e6 + (index % 100) * 1e4);
    const before = recorder.find({ limit: 100, cause: "slow" }).length;
    recorder.offer(outcome(50e6), (causes) => record(9, "slow one", causes));
    expect(recorder.find({ limit: 1, cause: "slow" })[0]?.id).toBe("slow one");
    // 1 % of 4,800 is 48; the estimate may be off by some.
    expect(before).toBeLessThan(100);
  });

  it("samples one of so many", () => {
    const recorder = new FlightRecorder({ capacity: 100, sampleEvery: 50 });
    feed(recorder, 500, () => 1e6);
    expect(recorder.find({ limit: 100, cause: "sampled" })).toHaveLength(10);
  });

  it("keeps the newest when the ring is full, and finds them by id", () => {
    const recorder = new FlightRecorder({ capacity: 3, sampleEvery: 1 });
    feed(recorder, 7, () => 1e6);
    expect(recorder.find({ limit: 10 }).map(({ id }) => id)).toEqual(["r6", "r5", "r4"]);
    expect(recorder.find({ limit: 10, id: "r5" })).toHaveLength(1);
    expect(recorder.find({ limit: 10, id: "r1" })).toHaveLength(0);
  });

  it("finds those that ended in a stretch of time and took so long, slowest first", () => {
    const recorder = new FlightRecorder({ capacity: 10, sampleEvery: 1 });
    const offer = (serial: number, atMs: number, totalMs: number) =>
      recorder.offer(outcome(totalMs * 1e6), (causes) => ({
        ...record(serial, `r${serial}`, causes),
        atMs,
        totalNs: totalMs * 1e6,
        version: serial === 4 ? "2" : "1",
      }));
    offer(1, 1_000, 5);
    offer(2, 1_990, 20);
    offer(3, 2_000, 30);
    offer(4, 2_100, 10);
    offer(5, 2_995, 10);
    const ids = (query: object) => recorder.find({ limit: 10, ...query }).map(({ serial }) => serial);
    // The second began before the window and ended in it, the fifth the other way about.
    expect(ids({ fromMs: 2_000, toMs: 3_000 })).toEqual([4, 3, 2]);
    expect(ids({ fromMs: 2_000, toMs: 3_000, order: "slowest" })).toEqual([3, 2, 4]);
    expect(ids({ order: "slowest", limit: 2 })).toEqual([3, 2]);
    expect(ids({ leastNs: 10e6, belowNs: 30e6 })).toEqual([5, 4, 2]);
    expect(ids({ version: "2" })).toEqual([4]);
  });
});
