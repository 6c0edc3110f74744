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
});
