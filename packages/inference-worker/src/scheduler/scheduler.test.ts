import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { NereidError } from "@nereid/errors";
import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { preciseAlarm } from "../time/alarm.ts";
import { NO_QUEUE_POLICY } from "./policy.ts";
import { type Item, MS, World } from "./testing/world.ts";

afterEach(() => {
  vi.useRealTimers();
});

describe("Scheduler", () => {
  it("sends at once while an instance is free and batches what came while none was", () => {
    const world = new World();
    world.enqueue();
    world.enqueue();
    world.enqueue();
    expect(world.batches).toEqual([[0]]);
    world.finishOne();
    expect(world.batches).toEqual([[0], [1, 2]]);
  });

  it("says how many wait before a request, and with each batch its reason and how many stay", () => {
    const world = new World();
    world.enqueue();
    const waits = Array.from({ length: 6 }, () => world.scheduler.enqueue(world.item()));
    expect(waits).toEqual([0, 1, 2, 3, 4, 5]);
    world.finishOne();
    expect(world.notes).toEqual([
      { reason: "no-delay", leftWaiting: 0 },
      { reason: "full", leftWaiting: 2 },
    ]);
  });

  it("sends only full batches ahead to a busy instance", () => {
    const world = new World();
    world.freeInstances = 0;
    world.ahead = true;
    world.enqueue();
    world.enqueue();
    world.enqueue();
    expect(world.batches).toEqual([]);
    world.enqueue();
    expect(world.batches).toEqual([[0, 1, 2, 3]]);
  });

  it("waits for the queue delay and no longer", () => {
    const world = new World({ delayNs: 5 * MS });
    world.enqueue();
    world.pass(5 * MS - 1);
    expect(world.batches).toEqual([]);
    world.pass(1);
    expect(world.batches).toEqual([[0]]);
    expect(world.notes).toEqual([{ reason: "delay-over", leftWaiting: 0 }]);
  });

  it("waits for the queue delay in real time when it is given no other alarm", async () => {
    vi.useFakeTimers();
    const world = new World({ delayNs: 5 * MS, createAlarm: preciseAlarm });
    const pass = async (ns: number) => {
      world.nowNs += ns;
      await vi.advanceTimersByTimeAsync(ns / MS + 2);
    };
    world.enqueue();
    await pass(4 * MS);
    expect(world.batches).toEqual([]);
    await pass(1 * MS);
    expect(world.batches).toEqual([[0]]);
  });

  it("drops a cancelled request and leaves its neighbours alone", () => {
    const world = new World();
    world.freeInstances = 0;
    world.enqueue();
    const second = world.enqueue();
    world.enqueue();
    world.scheduler.cancel(second);
    world.scheduler.cancel(second);
    expect(world.refused.get(1)).toMatchObject({ reason: "CANCELED", error: { code: "CANCELLED", message: "" } });
    world.finishOne();
    expect(world.batches).toEqual([[0, 2]]);
  });

  it("does not cancel what has been handed over, nor what another scheduler holds", () => {
    const world = new World();
    const started = world.enqueue();
    world.scheduler.cancel(started);
    world.enqueue();
    const other = new World();
    other.freeInstances = 0;
    world.scheduler.cancel(other.enqueue());
    expect([...world.refused, ...other.refused]).toEqual([]);
    expect(world.scheduler.queued).toBe(1);
    expect(other.scheduler.queued).toBe(1);
  });

  it("frees a thousand places for a thousand clients that disconnect from a long queue", () => {
    const world = new World({ priorities: { defaultPolicy: { ...NO_QUEUE_POLICY, maxQueueSize: 20_000 } } });
    world.freeInstances = 0;
    const items = Array.from({ length: 20_000 }, () => world.enqueue({ byteLength: 3 }));
    expect(() => world.enqueue()).toThrow("Exceeds maximum queue size");
    const gone = items.filter((_, index) => index % 20 === 7);
    for (const item of gone) world.scheduler.cancel(item);
    expect(world.refused.size).toBe(1000);
    expect(world.scheduler.queuedBytes).toBe(19_000 * 3);
    for (let n = 0; n < 1000; n++) world.enqueue();
    expect(() => world.enqueue()).toThrow("Exceeds maximum queue size");
    for (let n = 0; n < 5000; n++) world.finishOne();
    const kept = items.filter((item) => !gone.includes(item)).map(({ id }) => id);
    expect(world.batches.flat().slice(0, 19_000)).toEqual(kept);
  });

  it("refuses new requests after it stopped and still executes the accepted ones", () => {
    const world = new World();
    world.freeInstances = 0;
    world.enqueue();
    world.scheduler.stopAccepting();
    const text = "[request id: r] Server is stopping, scheduler for model has stopped accepting new inference requests";
    expect(() => world.enqueue()).toThrow(expect.objectContaining({ code: "UNAVAILABLE", message: text }));
    world.finishOne();
    expect(world.batches).toEqual([[0]]);
  });

  it("refuses everything that waits when it is told to, level by level", () => {
    const world = new World({ priorities: { levels: 2, defaultLevel: 2 } });
    world.freeInstances = 0;
    for (const priority of [2, 1, 0, 1]) world.enqueue({ priority });
    world.scheduler.refuseAll(new NereidError("UNAVAILABLE", "the runner does not come back"), "OTHER");
    expect([...world.refused.keys()]).toEqual([1, 3, 0, 2]);
    expect(world.scheduler.queued).toBe(0);
  });

  it("takes a request that is made while another one is being refused", () => {
    const world = new World({ priorities: { defaultPolicy: { ...NO_QUEUE_POLICY, defaultTimeoutNs: 1 * MS } } });
    world.freeInstances = 0;
    const first = world.item();
    world.scheduler.enqueue({
      ...first,
      refuse: () => {
        world.freeInstances = 1;
        world.enqueue();
      },
    });
    world.pass(2 * MS);
    expect(world.batches).toEqual([[1]]);
  });

  it("is still there after the target threw", () => {
    const world = new World();
    const broken = world.scheduler;
    const start = vi.spyOn(world.batches, "push").mockImplementationOnce(() => {
      throw new Error("no room");
    });
    expect(() => world.enqueue()).toThrow("no room");
    start.mockRestore();
    world.freeInstances = 1;
    world.enqueue();
    expect(world.batches).toEqual([[1]]);
    expect(broken.queued).toBe(0);
  });

  it("keeps nothing of the requests that were executed, refused or cancelled", async () => {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void;
    const scheduler = new World({ delayNs: 5 * MS, priorities: { levels: 2, defaultLevel: 1 } });
    const gone = (() => {
      const executed = Array.from({ length: 4 }, () => scheduler.enqueue({ deadlineNs: 1e12 }));
      scheduler.finishOne();
      const cancelled = [scheduler.enqueue(), scheduler.enqueue({ priority: 2, deadlineNs: 1e12 })];
      scheduler.enqueue();
      for (const item of cancelled) scheduler.scheduler.cancel(item);
      const late = scheduler.enqueue({ deadlineNs: 0 });
      return [...executed, ...cancelled, late].map((item) => new WeakRef(item));
    })();
    expect([scheduler.batches.flat().length, scheduler.refused.size]).toEqual([4, 3]);
    // A WeakRef holds its object until the turn in which it was made is over.
    await new Promise((resolve) => setImmediate(resolve));
    collect();
    expect(gone.filter((reference) => reference.deref() !== undefined)).toEqual([]);
    expect(scheduler.scheduler.queued).toBe(1);
  });

  it("executes or refuses every accepted request exactly once, whatever happens in which order", () => {
    const step = fc.record({
      action: fc.constantFrom("enqueue", "enqueue", "finish", "pass", "cancel"),
      at: fc.nat({ max: 1000 }),
      priority: fc.integer({ min: 0, max: 4 }),
      deadlineMs: fc.constantFrom(Number.POSITIVE_INFINITY, 3, 30),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120 }), fc.constantFrom(0, 3 * MS), (steps, delayNs) => {
        const policy = { maxQueueSize: 10, defaultTimeoutNs: 20 * MS, allowTimeoutOverride: false };
        const world = new World({
          delayNs,
          priorities: {
            levels: 3,
            defaultLevel: 2,
            defaultPolicy: { ...policy, timeoutAction: "REJECT" },
            byLevel: new Map([[3, { ...policy, timeoutAction: "DELAY" }]]),
          },
        });
        const accepted: Item[] = [];
        for (const { action, at, priority, deadlineMs } of steps) {
          if (action === "enqueue") {
            const item = world.item({ priority, deadlineNs: world.nowNs + deadlineMs * MS });
            try {
              world.scheduler.enqueue(item);
              accepted.push(item);
            } catch {
              // The queue is full: refused at the door, not accepted.
            }
          }
          if (action === "finish" && world.freeInstances === 0) world.finishOne(at * 1000);
          if (action === "pass") world.pass(4 * MS);
          const chosen = accepted[at % Math.max(1, accepted.length)];
          if (action === "cancel" && chosen !== undefined) world.scheduler.cancel(chosen);
        }
        for (let turn = 0; turn < 200 && world.scheduler.queued > 0; turn++) {
          world.pass(4 * MS);
          if (world.freeInstances === 0) world.finishOne();
        }
        expect(world.batches.every((batch) => batch.length <= 4)).toBe(true);
        const outcomes = [...world.batches.flat(), ...world.refused.keys()].sort((a, b) => a - b);
        expect(outcomes).toEqual(accepted.map(({ id }) => id).sort((a, b) => a - b));
      }),
      { numRuns: 500 },
    );
  });
});
