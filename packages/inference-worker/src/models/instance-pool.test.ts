import { describe, expect, it } from "vitest";
import type { InstanceChannel } from "../runners/instance-channel.ts";
import { BusyShare } from "./busy-share.ts";
import { InstancePool, type ModelInstance } from "./instance-pool.ts";

const instance = (name: string, index = 0): ModelInstance => ({
  name,
  channel: {} as InstanceChannel,
  spec: undefined,
  index,
  membership: undefined,
  executions: 0,
  inFlight: 0,
  lastEndNs: 0,
  busyNs: 0,
  busySinceNs: 0,
  share: new BusyShare(0),
});
const onGranted = () => undefined;

describe("InstancePool", () => {
  it("hands out every idle instance before one batch ahead of each", () => {
    const pool = new InstancePool({ sendsAhead: true, onGranted });
    pool.replace([instance("a"), instance("b")]);
    const taken = [pool.take(0), pool.take(0), pool.take(0), pool.take(0)].map((one) => one?.name);
    expect(new Set(taken.slice(0, 2))).toEqual(new Set(["a", "b"]));
    expect(new Set(taken.slice(2))).toEqual(new Set(["a", "b"]));
    expect(pool.capacity).toBe("none");
    expect(pool.take(0)).toBeUndefined();
  });

  it("sends nothing ahead when it must not", () => {
    const pool = new InstancePool({ sendsAhead: false, onGranted });
    pool.replace([instance("a")]);
    pool.take(0);
    expect(pool.capacity).toBe("none");
    expect(pool.take(0)).toBeUndefined();
  });

  it("takes an instance back and forgets one of a runner that is gone", () => {
    const pool = new InstancePool({ sendsAhead: true, onGranted });
    pool.replace([instance("old")]);
    const old = pool.take(0);
    pool.replace([instance("new")]);
    if (old !== undefined) pool.give(old, 0);
    expect(pool.take(0)?.name).toBe("new");
    expect(pool.capacity).toBe("ahead");
    expect(pool.take(0)?.name).toBe("new");
    expect(pool.capacity).toBe("none");
  });
});
