import { NereidError } from "@nereid/errors";
import { describe, expect, it } from "vitest";
import { type ModelEntry, newEntry } from "./model-entry.ts";
import { type Hold, OnDemand, type OnDemandOptions } from "./on-demand.ts";

const settled = () => new Promise((resolve) => setImmediate(resolve));
const forever = new AbortController().signal;

/** A manager of one model whose loads end when the test says so. */
function setUp(more: Partial<OnDemandOptions> = {}) {
  const entries = new Map<string, ModelEntry>();
  const state = { holds: 0, loads: 0, nowMs: 0, idle: [] as string[], evicted: [] as string[] };
  let end: { resolve: () => void; reject: (error: unknown) => void } | undefined;
  const serve = (name: string) => {
    const entry = newEntry(name);
    entry.versions = new Map([["1", { version: "1", state: "READY", reason: "" }]]);
    entries.set(name, entry);
  };
  const onDemand = new OnDemand({
    manager: {
      entry: (name) => entries.get(name),
      hold: () => {
        state.holds += 1;
        let held = true;
        return {
          release: () => {
            if (held) state.holds -= 1;
            held = false;
          },
        };
      },
      loadOnDemand: () => {
        state.loads += 1;
        return new Promise<void>((resolve, reject) => (end = { resolve, reject }));
      },
      idleModels: () => state.idle,
      evict: async (name) => void state.evicted.push(name),
    },
    exists: async (model) => model !== "unknown",
    withheld: (model) => model === "withheld",
    pinOf: () => undefined,
    waitMs: 60_000,
    idleMs: 1,
    clock: { nowNs: () => 0, wallMs: () => state.nowMs },
    ...more,
  });
  return { onDemand, state, serve, end: () => end };
}

describe("OnDemand", () => {
  it("holds what is served at once, without a promise", () => {
    const { onDemand, state, serve } = setUp();
    serve("m");
    const hold = onDemand.hold("m", forever) as Hold;
    expect([state.holds, state.loads]).toEqual([1, 0]);
    hold.release();
    expect(state.holds).toBe(0);
  });

  it.each(["unknown", "withheld"])("leaves the %s to be refused as ever", async (model) => {
    const { onDemand, state } = setUp();
    (await onDemand.hold(model, forever)).release();
    expect(state).toMatchObject({ holds: 0, loads: 0 });
  });

  it("loads once for all that wait, and lets no more wait than it may", async () => {
    const { onDemand, state, end } = setUp();
    const waiting = Array.from({ length: 1001 }, () => Promise.resolve(onDemand.hold("m", forever)));
    const outcomes = Promise.allSettled(waiting);
    await settled();
    end()?.resolve();
    const refused = (await outcomes).filter(({ status }) => status === "rejected");
    expect([state.loads, refused.length, state.holds]).toEqual([1, 1, 1000]);
    expect(refused[0]).toMatchObject({ reason: { code: "UNAVAILABLE", retryAfterMs: 1000 } });
  });

  it("lets a client leave, and gives back what it held", async () => {
    const { onDemand, state, end } = setUp();
    const abort = new AbortController();
    const leaves = Promise.resolve(onDemand.hold("m", abort.signal));
    const stays = Promise.resolve(onDemand.hold("m", forever));
    await settled();
    abort.abort(new NereidError("CANCELLED", ""));
    await expect(leaves).rejects.toMatchObject({ code: "CANCELLED" });
    expect(state.holds).toBe(1);
    end()?.resolve();
    (await stays).release();
    expect(state.holds).toBe(0);
  });

  it("tells those that wait too long so", async () => {
    const { onDemand, state } = setUp({ waitMs: 1 });
    await expect(onDemand.hold("m", forever)).rejects.toMatchObject({ code: "UNAVAILABLE" });
    expect(state.holds).toBe(0);
  });

  it("rests after a failure, and tries again then", async () => {
    const { onDemand, state, end } = setUp();
    const first = Promise.resolve(onDemand.hold("m", forever));
    await settled();
    end()?.reject(new NereidError("INVALID_ARGUMENT", "broken\n"));
    const failure = { code: "UNAVAILABLE", message: "model 'm' could not be loaded on demand: broken" };
    await expect(first).rejects.toMatchObject(failure);
    await expect(onDemand.hold("m", forever)).rejects.toMatchObject(failure);
    expect(state.loads).toBe(1);
    state.nowMs = 5_001;
    const again = Promise.resolve(onDemand.hold("m", forever));
    await settled();
    expect(state.loads).toBe(2);
    end()?.resolve();
    (await again).release();
  });

  it("unloads what is idle", () => {
    const { onDemand, state } = setUp();
    state.idle = ["a", "b"];
    onDemand.sweep();
    expect(state.evicted).toEqual(["a", "b"]);
  });
});
