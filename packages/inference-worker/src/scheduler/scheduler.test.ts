import type { NereidError } from "@nereid/errors";
import fc from "fast-check";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { QueuePolicy } from "../models/model-spec.ts";
import type { ValidRequest } from "../request/valid-request.ts";
import { decideDynamic } from "./decide-batch.ts";
import { NO_QUEUE_POLICY, type QueuedRequest, Scheduler } from "./scheduler.ts";

const MS = 1e6;

interface Item extends QueuedRequest {
  readonly id: number;
}

function request(timeoutNs = 0): ValidRequest {
  return { id: "r", batchSize: 1, inputs: [], outputs: [], shapeKey: "", timeoutNs, byteLength: 0 };
}

class World {
  nowNs = 0;
  freeInstances = 1;
  /** A busy instance would take one batch ahead. */
  ahead = false;
  readonly batches: number[][] = [];
  readonly refused = new Map<number, { error: NereidError; reason: string }>();
  readonly scheduler: Scheduler<Item>;
  #next = 0;

  constructor(options: { queue?: QueuePolicy; delayNs?: number; maxBatchSize?: number } = {}) {
    const maxBatchSize = options.maxBatchSize ?? 4;
    this.scheduler = new Scheduler<Item>({
      decide: decideDynamic({
        maxBatchSize,
        preferredBatchSizes: [maxBatchSize],
        maxQueueDelayNs: options.delayNs ?? 0,
      }),
      queue: options.queue ?? NO_QUEUE_POLICY,
      clock: { nowNs: () => this.nowNs, wallMs: () => this.nowNs / MS },
      target: {
        capacity: () => (this.freeInstances > 0 ? "idle" : this.ahead ? "ahead" : "none"),
        start: (batch) => {
          this.freeInstances -= 1;
          this.batches.push(batch.map(({ id }) => id));
        },
      },
    });
  }

  enqueue(timeoutNs = 0): Item {
    const id = this.#next++;
    const valid = request(timeoutNs);
    const item: Item = {
      id,
      request: valid,
      batchSize: 1,
      shapeKey: "",
      enqueuedNs: this.nowNs,
      deadlineNs: this.scheduler.deadlineOf(valid, this.nowNs),
      refuse: (error, reason) => this.refused.set(id, { error, reason }),
    };
    this.scheduler.enqueue(item);
    return item;
  }

  finishOne(): void {
    this.freeInstances += 1;
    this.scheduler.dispatch();
  }

  async pass(ns: number): Promise<void> {
    this.nowNs += ns;
    await vi.advanceTimersByTimeAsync(ns / MS + 2);
  }
}

beforeEach(() => {
  vi.useFakeTimers();
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

  it("waits for the queue delay and no longer", async () => {
    const world = new World({ delayNs: 5 * MS });
    world.enqueue();
    await world.pass(4 * MS);
    expect(world.batches).toEqual([]);
    await world.pass(1 * MS);
    expect(world.batches).toEqual([[0]]);
  });

  it("refuses beyond the queue's size with 503 and keeps what it has", () => {
    const world = new World({ queue: { ...NO_QUEUE_POLICY, maxQueueSize: 2 } });
    world.freeInstances = 0;
    world.enqueue();
    world.enqueue();
    expect(() => world.enqueue()).toThrow(
      expect.objectContaining({ code: "UNAVAILABLE", message: "[request id: r] Exceeds maximum queue size" }),
    );
    world.finishOne();
    expect(world.batches).toEqual([[0, 1]]);
  });

  it("rejects an expired request although no instance ever becomes free", async () => {
    const world = new World({ queue: { maxQueueSize: 0, defaultTimeoutNs: 10 * MS, allowTimeoutOverride: false } });
    world.freeInstances = 0;
    world.enqueue();
    await world.pass(11 * MS);
    expect(world.refused.get(0)).toMatchObject({
      reason: "REJECTED",
      error: { code: "UNAVAILABLE", message: "Request timeout expired" },
    });
    expect(world.scheduler.queued).toBe(0);
  });

  it("lets a request shorten the time-out and never lengthen it", async () => {
    const world = new World({ queue: { maxQueueSize: 0, defaultTimeoutNs: 10 * MS, allowTimeoutOverride: true } });
    world.freeInstances = 0;
    world.enqueue(2 * MS);
    world.enqueue(500 * MS);
    await world.pass(3 * MS);
    expect([...world.refused.keys()]).toEqual([0]);
    await world.pass(8 * MS);
    expect([...world.refused.keys()]).toEqual([0, 1]);
  });

  it("drops a cancelled request and leaves its neighbours alone", () => {
    const world = new World();
    world.freeInstances = 0;
    world.enqueue();
    const second = world.enqueue();
    world.enqueue();
    world.scheduler.cancel(second);
    expect(world.refused.get(1)).toMatchObject({ reason: "CANCELED" });
    world.finishOne();
    expect(world.batches).toEqual([[0, 2]]);
  });

  it("refuses new requests after it stopped and still executes the accepted ones", () => {
    const world = new World();
    world.freeInstances = 0;
    world.enqueue();
    world.scheduler.stopAccepting();
    expect(() => world.enqueue()).toThrow(expect.objectContaining({ code: "UNAVAILABLE" }));
    world.finishOne();
    expect(world.batches).toEqual([[0]]);
  });

  it("executes or refuses every accepted request exactly once, whatever happens in which order", () => {
    const step = fc.constantFrom("enqueue", "finish", "pass", "cancel");
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120 }), fc.constantFrom(0, 3 * MS), (steps, delayNs) => {
        const world = new World({
          delayNs,
          queue: { maxQueueSize: 10, defaultTimeoutNs: 20 * MS, allowTimeoutOverride: false },
        });
        const accepted: Item[] = [];
        for (const action of steps) {
          if (action === "enqueue") {
            try {
              accepted.push(world.enqueue());
            } catch {
              // The queue is full: refused at the door, not accepted.
            }
          }
          if (action === "finish" && world.batches.length > 0 && world.freeInstances === 0) world.finishOne();
          if (action === "pass") {
            world.nowNs += 4 * MS;
            vi.advanceTimersByTime(6);
          }
          const last = accepted.at(-1);
          if (action === "cancel" && last !== undefined) world.scheduler.cancel(last);
        }
        for (let turn = 0; turn < 200 && world.scheduler.queued > 0; turn++) {
          world.nowNs += 4 * MS;
          world.finishOne();
        }
        const executed = world.batches.flat();
        expect(executed).toEqual([...executed].sort((a, b) => a - b));
        expect(world.batches.every((batch) => batch.length <= 4)).toBe(true);
        const outcomes = [...executed, ...world.refused.keys()].sort((a, b) => a - b);
        expect(outcomes).toEqual(accepted.map(({ id }) => id).sort((a, b) => a - b));
      }),
      { numRuns: 300 },
    );
  });
});
