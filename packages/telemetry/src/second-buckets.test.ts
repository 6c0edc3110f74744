import { describe, expect, it } from "vitest";
import { type SecondBucket, SecondBuckets } from "./index.ts";

const identity = { model: "m", version: "1" };

describe("SecondBuckets", () => {
  it("closes a second once, and leaves gaps where no tick came", () => {
    const buckets = new SecondBuckets();
    for (const ms of [1000, 1500, 2000, 2999, 5000, 6000]) buckets.tick(ms);
    expect(buckets.after(undefined).map(({ t }) => t)).toEqual([1, 2, 5]);
    expect(buckets.after(1).map(({ t }) => t)).toEqual([2, 5]);
  });

  it("has rows only for versions with traffic or pending requests", () => {
    const buckets = new SecondBuckets();
    const recorder = buckets.open(identity);
    buckets.open({ model: "idle", version: "1" });
    buckets.tick(0);
    recorder.observeFailure("BACKEND");
    buckets.tick(1000);
    recorder.setPending(2);
    buckets.tick(2000);
    recorder.setPending(0);
    buckets.tick(3000);
    expect(buckets.after(undefined).map(({ series }) => series.map((row) => [row.failure, row.pending]))).toEqual([
      [[1, 0]],
      [[0, 2]],
      [],
    ]);
  });

  it("still reports a closed recorder's last second", () => {
    const buckets = new SecondBuckets();
    const recorder = buckets.open(identity);
    buckets.tick(0);
    recorder.observeExecution(1);
    recorder.close();
    buckets.tick(1000);
    recorder.observeExecution(1);
    buckets.tick(2000);
    expect(buckets.after(undefined).map(({ series }) => series.length)).toEqual([1, 0]);
  });

  it("tells failures by reason, batches by size and by what closed them, and forgets them with the second", () => {
    const buckets = new SecondBuckets();
    const recorder = buckets.open(identity);
    let busyNs = 7e8;
    recorder.watchInstances(() => ({ busyNs, instances: 2 }));
    buckets.tick(0);
    for (const reason of ["REJECTED", "BACKEND", "REJECTED"] as const) recorder.observeFailure(reason);
    for (const size of [8, 2, 8]) recorder.observeExecution(size);
    for (const reason of ["full", "delay-over", "full"]) recorder.observeClosed(reason);
    buckets.tick(1000);
    busyNs = 1e9;
    buckets.tick(2000);
    busyNs = 0;
    buckets.tick(3000);
    const [first, second, third] = buckets.after(undefined).map(({ series }) => series[0]);
    expect(first).toMatchObject({
      failure: 3,
      failures: { REJECTED: 2, BACKEND: 1 },
      batchSizes: [
        [2, 1],
        [8, 2],
      ],
      closed: { full: 2, "delay-over": 1 },
      busyNs: 7e8,
      instances: 2,
    });
    expect(second).toMatchObject({ executions: 0, busyNs: 1e9 });
    expect(second).not.toHaveProperty("failures");
    expect(second).not.toHaveProperty("batchSizes");
    expect(second).not.toHaveProperty("closed");
    expect(third).toBeUndefined();
  });

  it("asks for the machine once a second that is closed", () => {
    let asked = 0;
    const buckets = new SecondBuckets({ readNode: () => ({ cpu: 0.5, rssBytes: ++asked }) });
    for (const ms of [0, 250, 1000, 1250, 2000]) buckets.tick(ms);
    expect(buckets.after(undefined).map(({ node }) => node)).toEqual([
      { cpu: 0.5, rssBytes: 1 },
      { cpu: 0.5, rssBytes: 2 },
    ]);
  });

  it("remembers only its capacity", () => {
    const buckets = new SecondBuckets({ capacitySeconds: 3 });
    for (let second = 0; second <= 10; second += 1) buckets.tick(second * 1000);
    expect(buckets.after(undefined).map(({ t }) => t)).toEqual([7, 8, 9]);
    buckets.tick(1_000_000);
    expect(buckets.after(undefined).map(({ t }) => t)).toEqual([8, 9, 10]);
    buckets.tick(1_001_000);
    expect(buckets.after(undefined).map(({ t }) => t)).toEqual([1000]);
  });

  it("waits out a small step back of the clock and restarts after a large one", () => {
    const buckets = new SecondBuckets();
    for (const second of [100, 101, 99, 102]) buckets.tick(second * 1000);
    expect(buckets.after(undefined).map(({ t }) => t)).toEqual([100, 101]);
    for (const second of [10, 11]) buckets.tick(second * 1000);
    expect(buckets.after(undefined).map(({ t }) => t)).toEqual([10]);
  });

  it("tells every listener, even behind one that throws, until it is disposed", () => {
    const buckets = new SecondBuckets();
    const seen: SecondBucket[] = [];
    const stopBad = buckets.subscribe(() => {
      throw new Error("bad listener");
    });
    const stop = buckets.subscribe((bucket) => seen.push(bucket));
    buckets.tick(0);
    expect(() => buckets.tick(1000)).toThrow(AggregateError);
    stopBad();
    buckets.tick(2000);
    stop();
    buckets.tick(3000);
    expect(seen.map(({ t }) => t)).toEqual([0, 1]);
  });
});
