import { describe, expect, it } from "vitest";
import { BusySeconds } from "../facts/busy-seconds.ts";
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
  aheadRequests: 0,
  held: false,
  lastEndNs: 0,
  busyNs: 0,
  busySinceNs: 0,
  share: new BusyShare(0),
  seconds: new BusySeconds(0),
});
const onGranted = () => undefined;

describe("InstancePool", () => {
  it("hands out every idle instance, and a batch ahead of the only one", () => {
    const pool = new InstancePool({ sendsAhead: true, onGranted });
    pool.replace([instance("a")]);
    expect([pool.take(0)?.name, pool.take(0)?.name]).toEqual(["a", "a"]);
    expect(pool.capacity).toBe("none");
    expect(pool.take(0)).toBeUndefined();
  });

  it("binds no batch to one of several busy instances: another may be free before it", () => {
    const pool = new InstancePool({ sendsAhead: true, onGranted });
    pool.replace([instance("a", 0), instance("b", 1)]);
    expect(new Set([pool.take(0)?.name, pool.take(0)?.name])).toEqual(new Set(["a", "b"]));
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

  it("gives a held instance nothing, whatever it had, until it is let go", () => {
    const pool = new InstancePool({ sendsAhead: true, onGranted });
    const [a, b] = [instance("a", 0), instance("b", 1)];
    pool.replace([a, b]);
    pool.hold(a, true);
    expect([pool.isIdle(0), pool.take(0)?.name]).toEqual([false, "b"]);
    // The only one left may have a batch sent ahead; what it has when it is held it keeps.
    expect(pool.capacity).toBe("ahead");
    expect(pool.take(0)?.name).toBe("b");
    pool.hold(b, true);
    pool.give(b, 1);
    expect(pool.capacity).toBe("none");
    pool.hold(b, false);
    expect(pool.capacity).toBe("ahead");
    pool.give(b, 2);
    pool.hold(a, false);
    expect(new Set([pool.take(3)?.name, pool.take(3)?.name])).toEqual(new Set(["a", "b"]));
  });

  it("keeps an instance held when others come and go", async () => {
    const pool = new InstancePool({ sendsAhead: false, onGranted });
    const [a, b] = [instance("a", 0), instance("b", 1)];
    pool.replace([a]);
    pool.hold(a, true);
    await pool.resize([a, b]);
    expect([pool.take(0)?.name, pool.take(0)]).toEqual(["b", undefined]);
  });
});
