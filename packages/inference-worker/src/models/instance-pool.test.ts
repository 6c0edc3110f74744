import { describe, expect, it } from "vitest";
import type { InstanceChannel } from "../runners/instance-channel.ts";
import { InstancePool, type ModelInstance } from "./instance-pool.ts";

const instance = (name: string): ModelInstance => ({
  name,
  channel: {} as InstanceChannel,
  executions: 0,
  inFlight: 0,
  lastEndNs: 0,
});

describe("InstancePool", () => {
  it("hands out every idle instance before one batch ahead of each", () => {
    const pool = new InstancePool({ sendsAhead: true });
    pool.replace([instance("a"), instance("b")]);
    const taken = [pool.take(), pool.take(), pool.take(), pool.take()].map((one) => one?.name);
    expect(new Set(taken.slice(0, 2))).toEqual(new Set(["a", "b"]));
    expect(new Set(taken.slice(2))).toEqual(new Set(["a", "b"]));
    expect(pool.capacity).toBe("none");
    expect(pool.take()).toBeUndefined();
  });

  it("sends nothing ahead when it must not", () => {
    const pool = new InstancePool({ sendsAhead: false });
    pool.replace([instance("a")]);
    pool.take();
    expect(pool.capacity).toBe("none");
    expect(pool.take()).toBeUndefined();
  });

  it("takes an instance back and forgets one of a runner that is gone", () => {
    const pool = new InstancePool({ sendsAhead: true });
    pool.replace([instance("old")]);
    const old = pool.take();
    pool.replace([instance("new")]);
    if (old !== undefined) pool.give(old);
    expect(pool.take()?.name).toBe("new");
    expect(pool.capacity).toBe("ahead");
    expect(pool.take()?.name).toBe("new");
    expect(pool.capacity).toBe("none");
  });
});
