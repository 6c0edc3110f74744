import type { NereidError } from "@nereid/errors";
import { describe, expect, it } from "vitest";
import { NO_QUEUE_POLICY } from "./policy.ts";
import { predictWaitNs } from "./predict-wait.ts";
import { type ItemDetails, MS, World, type WorldOptions } from "./testing/world.ts";

function busy(options: WorldOptions): World {
  const world = new World(options);
  world.freeInstances = 0;
  return world;
}

function refusal(world: World, details: ItemDetails = {}): NereidError | undefined {
  try {
    world.enqueue(details);
    return undefined;
  } catch (error) {
    return error as NereidError;
  }
}

/** The instance has executed one request of cost 1 in 10 ms. */
function experienced(options: WorldOptions): World {
  const world = busy(options);
  world.enqueue();
  world.finishOne();
  world.finishOne(10 * MS);
  world.freeInstances = 0;
  return world;
}

describe("admission limits", () => {
  it("limits how many wait, by name and value, with the code it was given", () => {
    const world = busy({ admission: { maxRequests: 2 }, overloadCode: "TOO_MANY_REQUESTS" });
    world.enqueue();
    world.enqueue();
    expect(refusal(world)).toMatchObject({
      code: "TOO_MANY_REQUESTS",
      message: "[request id: r] Exceeds the queue limit: 2 requests wait, at most 2 may",
      retryAfterMs: 1000,
    });
    expect(world.scheduler.queued).toBe(2);
  });

  it("limits the bytes that wait, but lets one request pass that an idle instance takes", () => {
    const world = busy({ admission: { maxBytes: 100 } });
    world.enqueue({ byteLength: 60 });
    expect(refusal(world, { byteLength: 41 })).toMatchObject({
      code: "UNAVAILABLE",
      message: expect.stringContaining("this request's 41 bytes 101 bytes would wait, at most 100 may"),
    });
    world.enqueue({ byteLength: 40 });
    expect(world.scheduler.queuedBytes).toBe(100);
    world.finishOne();
    expect(world.scheduler.queuedBytes).toBe(0);
    expect(refusal(world, { byteLength: 500 })).toBeDefined();
    world.finishOne();
    expect(refusal(world, { byteLength: 500 })).toBeUndefined();
  });

  it("limits the predicted wait once it knows how long executions take, and says when to try again", () => {
    const options = { admission: { maxPredictedWaitNs: 35 * MS } };
    const fresh = busy(options);
    for (let n = 0; n < 100; n++) fresh.enqueue();
    const world = experienced(options);
    for (let n = 0; n < 4; n++) expect(refusal(world)).toBeUndefined();
    expect(refusal(world)).toMatchObject({
      code: "UNAVAILABLE",
      message: "[request id: r] Exceeds the longest predicted wait: 40 ms, at most 35 ms is allowed",
      retryAfterMs: 5,
    });
  });

  it("predicts the wait of a high level from what is before it", () => {
    const world = experienced({
      admission: { maxPredictedWaitNs: 15 * MS },
      priorities: { levels: 2, defaultLevel: 2 },
    });
    world.enqueue();
    world.enqueue();
    expect(refusal(world)).toBeDefined();
    expect(refusal(world, { priority: 1 })).toBeUndefined();
  });

  it("says when to try again with Triton's own limit where that is known, with Triton's code and text", () => {
    const options: WorldOptions = {
      priorities: { defaultPolicy: { ...NO_QUEUE_POLICY, maxQueueSize: 3 } },
      overloadCode: "TOO_MANY_REQUESTS",
    };
    const fresh = busy(options);
    const world = experienced(options);
    for (const each of [fresh, world]) for (let n = 0; n < 3; n++) each.enqueue();
    expect(refusal(fresh)).toMatchObject({ code: "UNAVAILABLE", retryAfterMs: undefined });
    expect(refusal(world)).toMatchObject({
      code: "UNAVAILABLE",
      message: "[request id: r] Exceeds maximum queue size",
      retryAfterMs: 30,
    });
  });
});

const SMALL = { name: "small", maxCost: 10, maxQueued: 3, maxExecuting: 0, weight: 1 };
const LARGE = { name: "large", maxCost: Number.POSITIVE_INFINITY, maxQueued: 0, maxExecuting: 2, weight: 1 };
const classes = { admission: { classes: [SMALL, LARGE] } };

describe("cost classes", () => {
  it("limit what waits of a class, by its name", () => {
    const world = busy(classes);
    for (const cost of [1, 10, 5]) world.enqueue({ cost });
    expect(refusal(world, { cost: 2 })?.message).toBe(
      "[request id: r] Exceeds the queue limit of class 'small': 3 requests wait, at most 3 may",
    );
    expect(refusal(world, { cost: 11 })).toBeUndefined();
  });

  it("are never mixed in a batch, and limit what of a class executes at once", () => {
    const world = busy(classes);
    for (const cost of [1, 99, 1, 99, 99, 99]) world.enqueue({ cost });
    world.freeInstances = 4;
    world.scheduler.dispatch();
    expect(world.batches).toEqual([
      [0, 2],
      [1, 3],
    ]);
    world.finishOne();
    expect(world.batches).toHaveLength(2);
    world.finishOne();
    expect(world.batches.at(-1)).toEqual([4, 5]);
  });

  it("does not wait for a larger batch than a class may have executing", () => {
    const world = new World({ ...classes, delayNs: 50 * MS });
    world.enqueue({ cost: 99 });
    expect(world.batches).toEqual([]);
    world.enqueue({ cost: 99 });
    expect(world.batches).toEqual([[0, 1]]);
  });

  it("tells how many of the same class wait before a request", () => {
    const world = busy(classes);
    expect([1, 99, 1, 99].map((cost) => world.scheduler.enqueue(world.item({ cost })))).toEqual([0, 0, 1, 1]);
  });

  it("have priority levels of their own", () => {
    const world = busy({ ...classes, maxBatchSize: 1, priorities: { levels: 2, defaultLevel: 2 } });
    world.enqueue({ cost: 1 });
    world.enqueue({ cost: 1, priority: 1 });
    world.finishOne();
    expect(world.batches).toEqual([[1]]);
  });
});

describe("predictWaitNs()", () => {
  const load = (workNs: number | undefined, weight = 1, maxExecuting = 0) => ({ workNs, weight, maxExecuting });

  it.each([
    ["nothing known", load(undefined), [load(100)], 1, undefined],
    ["one class", load(100), [], 4, 25],
    ["no instances at the moment", load(100), [], 0, 100],
    ["its share of the instances", load(100, 3), [load(1e9, 1)], 1, 400 / 3],
    ["never more than all the work", load(100, 1), [load(50, 9)], 1, 150],
    ["idle classes take no share", load(100, 1), [load(0, 9), load(undefined, 9)], 1, 100],
    ["a class that may execute one at a time", load(100, 1, 1), [], 4, 100],
  ] as const)("%s", (_title, own, others, instances, expected) => {
    const predicted = predictWaitNs(own, others, instances);
    if (expected === undefined) expect(predicted).toBeUndefined();
    else expect(predicted).toBeCloseTo(expected);
  });
});
