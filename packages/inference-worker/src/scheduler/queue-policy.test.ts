import { describe, expect, it } from "vitest";
import { NO_QUEUE_POLICY, type QueuePolicy } from "./policy.ts";
import { MS, World, type WorldOptions } from "./testing/world.ts";

const policy = (overrides: Partial<QueuePolicy>): QueuePolicy => ({ ...NO_QUEUE_POLICY, ...overrides });

/** A scheduler whose only instance is busy until it is told to finish. */
function busy(options: WorldOptions & { policy?: Partial<QueuePolicy> } = {}): World {
  const defaultPolicy = policy(options.policy ?? {});
  const world = new World({ ...options, priorities: { defaultPolicy, ...options.priorities } });
  world.freeInstances = 0;
  return world;
}

describe("queue policy (scheduling.md §4)", () => {
  it("priority: 0 and levels that do not exist are the default level; 1 is served first", () => {
    const world = busy({ maxBatchSize: 1, priorities: { levels: 3, defaultLevel: 2 } });
    for (const priority of [3, 0, 4, 2, 1, 99, 1]) world.enqueue({ priority });
    for (let n = 0; n < 7; n++) world.finishOne();
    expect(world.batches.flat()).toEqual([4, 6, 1, 2, 3, 5, 0]);
  });

  it("priority: a batch is formed in scan order and may span levels", () => {
    const world = busy({ priorities: { levels: 2, defaultLevel: 2 } });
    for (const priority of [2, 2, 1]) world.enqueue({ priority });
    world.finishOne();
    expect(world.batches).toEqual([[2, 0, 1]]);
  });

  it("priority: the value is ignored without priority_levels", () => {
    const world = busy({ maxBatchSize: 1 });
    for (const priority of [3, 1, 2]) world.enqueue({ priority });
    for (let n = 0; n < 3; n++) world.finishOne();
    expect(world.batches.flat()).toEqual([0, 1, 2]);
  });

  it("priority: those before a request are those of its level and of higher ones", () => {
    const world = busy({ priorities: { levels: 2, defaultLevel: 2 } });
    const waits = [2, 1, 2, 1].map((priority) => world.scheduler.enqueue(world.item({ priority })));
    expect(waits).toEqual([0, 0, 2, 1]);
  });

  it("max_queue_size: refuses at once with 503, and counts only what is still in the queue", () => {
    const world = busy({ policy: { maxQueueSize: 2 } });
    world.enqueue();
    world.enqueue();
    const full = expect.objectContaining({
      code: "UNAVAILABLE",
      message: "[request id: r] Exceeds maximum queue size",
    });
    expect(() => world.enqueue()).toThrow(full);
    expect(world.refused.size).toBe(0);
    world.finishOne();
    expect(world.batches).toEqual([[0, 1]]);
    world.enqueue();
    world.enqueue();
    expect(() => world.enqueue()).toThrow(full);
  });

  it("max_queue_size: each priority level has its own", () => {
    const world = busy({ policy: { maxQueueSize: 1 }, priorities: { levels: 2, defaultLevel: 2 } });
    world.enqueue({ priority: 1 });
    world.enqueue({ priority: 2 });
    expect(() => world.enqueue({ priority: 1 })).toThrow("Exceeds maximum queue size");
    expect(() => world.enqueue({ priority: 0 })).toThrow("Exceeds maximum queue size");
  });

  it("max_queue_size: counts delayed requests, and not those whose time is over", () => {
    const delayed = busy({ policy: { maxQueueSize: 1, defaultTimeoutNs: 1 * MS, timeoutAction: "DELAY" } });
    delayed.enqueue();
    delayed.pass(2 * MS);
    expect(() => delayed.enqueue()).toThrow("Exceeds maximum queue size");
    const rejected = busy({ policy: { maxQueueSize: 1, defaultTimeoutNs: 1 * MS } });
    rejected.enqueue();
    // The loop was held up: the alarm is late.
    rejected.nowNs += 2 * MS;
    rejected.enqueue();
    expect([...rejected.refused.keys()]).toEqual([0]);
  });

  it("timeout: the request's own has no effect without a default", () => {
    const world = busy({ policy: { allowTimeoutOverride: true } });
    world.enqueue({ timeoutNs: 1 * MS });
    world.pass(1000 * MS);
    expect(world.refused.size).toBe(0);
  });

  it("timeout: the request's own has no effect without allow_timeout_override", () => {
    const world = busy({ policy: { defaultTimeoutNs: 10 * MS } });
    world.enqueue({ timeoutNs: 1 * MS });
    world.pass(9 * MS);
    expect(world.refused.size).toBe(0);
    world.pass(1 * MS);
    expect(world.refused.size).toBe(1);
  });

  it("timeout: the request's own can only shorten", () => {
    const world = busy({ policy: { defaultTimeoutNs: 10 * MS, allowTimeoutOverride: true } });
    world.enqueue({ timeoutNs: 500 * MS });
    world.enqueue({ timeoutNs: 2 * MS });
    world.enqueue();
    world.pass(30 * MS);
    expect([...world.refused].map(([id, { atNs }]) => [id, atNs])).toEqual([
      [1, 2 * MS],
      [0, 10 * MS],
      [2, 10 * MS],
    ]);
  });

  it("timeout: counts in the queue only", () => {
    const world = busy({ policy: { defaultTimeoutNs: 10 * MS } });
    world.enqueue();
    world.finishOne();
    world.pass(100 * MS);
    expect(world.batches).toEqual([[0]]);
    expect(world.refused.size).toBe(0);
  });

  it("REJECT: 503 without the request's id, counted as REJECTED, at its moment although no instance becomes free", () => {
    const world = busy({ policy: { defaultTimeoutNs: 10 * MS } });
    world.enqueue();
    world.pass(10 * MS - 1);
    expect(world.refused.size).toBe(0);
    world.pass(1);
    expect(world.refused.get(0)).toMatchObject({
      reason: "REJECTED",
      atNs: 10 * MS,
      error: { code: "UNAVAILABLE", message: "Request timeout expired" },
    });
    expect(world.scheduler.queued).toBe(0);
  });

  it("REJECT: not executed when its time is over at the scan, before the alarm rings", () => {
    const world = busy({ policy: { defaultTimeoutNs: 10 * MS } });
    world.enqueue();
    world.nowNs = 10 * MS;
    world.enqueue();
    world.finishOne();
    expect(world.batches).toEqual([[1]]);
    expect([...world.refused.keys()]).toEqual([0]);
  });

  it("DELAY: served after all unexpired requests of its level and higher ones, before lower ones, never refused", () => {
    const world = busy({
      maxBatchSize: 1,
      policy: { defaultTimeoutNs: 10 * MS, timeoutAction: "DELAY" },
      priorities: { levels: 3, defaultLevel: 2 },
    });
    for (const priority of [2, 2, 3]) world.enqueue({ priority });
    world.pass(20 * MS);
    for (const priority of [1, 2, 3]) world.enqueue({ priority });
    for (let n = 0; n < 6; n++) world.finishOne();
    expect(world.batches.flat()).toEqual([3, 4, 0, 1, 5, 2]);
    expect(world.refused.size).toBe(0);
  });

  it("priority_queue_policy: overrides the default policy of its level", () => {
    const world = busy({
      policy: { defaultTimeoutNs: 10 * MS },
      priorities: { levels: 2, defaultLevel: 1, byLevel: new Map([[2, policy({ maxQueueSize: 1 })]]) },
    });
    world.enqueue({ priority: 1 });
    world.enqueue({ priority: 1 });
    world.enqueue({ priority: 2 });
    expect(() => world.enqueue({ priority: 2 })).toThrow("Exceeds maximum queue size");
    world.pass(100 * MS);
    expect([...world.refused.keys()]).toEqual([0, 1]);
  });
});

describe("clients' deadlines", () => {
  it("refuses at the deadline although no instance becomes free, and says why", () => {
    const world = busy();
    world.enqueue({ deadlineNs: 5 * MS });
    world.pass(5 * MS);
    expect(world.refused.get(0)).toMatchObject({
      // As a cancellation, which the client's own timer may bring about first.
      reason: "CANCELED",
      atNs: 5 * MS,
      error: {
        code: "UNAVAILABLE",
        message: expect.stringMatching(/^\[request id: r\] .*client's deadline.*in the queue/),
      },
    });
  });

  it("does not execute what would be answered too late, as far as executions are known", () => {
    const world = busy();
    world.enqueue();
    world.finishOne();
    world.finishOne(10 * MS);
    world.freeInstances = 0;
    world.enqueue({ deadlineNs: 9 * MS });
    world.enqueue({ deadlineNs: 11 * MS });
    world.finishOne();
    expect(world.batches).toEqual([[0], [2]]);
    expect(world.refused.get(1)).toMatchObject({
      reason: "REJECTED",
      error: { message: expect.stringMatching(/deadline: an execution takes about 10 ms/) },
    });
  });

  it("keeps a request that was delayed only as long as its client waits", () => {
    const world = busy({ policy: { defaultTimeoutNs: 2 * MS, timeoutAction: "DELAY" } });
    world.enqueue({ deadlineNs: 5 * MS });
    world.pass(4 * MS);
    expect(world.refused.size).toBe(0);
    world.pass(1 * MS);
    expect(world.refused.get(0)?.error.message).toMatch(/deadline/);
  });

  it("does not let a request miss its deadline for the queue delay while an instance is free", () => {
    const world = new World({ delayNs: 100 * MS });
    world.enqueue({ deadlineNs: 20 * MS });
    world.pass(20 * MS);
    expect(world.refused.size).toBe(0);
    expect(world.notes).toEqual([{ reason: "deadline-near", leftWaiting: 0 }]);
  });

  it("executes again after one execution that was far too long", () => {
    const world = new World();
    world.enqueue();
    world.finishOne(10_000 * MS);
    let sent = 0;
    for (let n = 0; n < 1000 && sent === 0; n++) {
      world.enqueue({ deadlineNs: world.nowNs + 100 * MS });
      sent = world.batches.length - 1;
    }
    expect(sent).toBe(1);
  });
});
