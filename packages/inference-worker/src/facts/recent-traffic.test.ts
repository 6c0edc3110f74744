import { describe, expect, it } from "vitest";
import { RecentTraffic } from "./recent-traffic.ts";

const arrival = (atNs: number, shapeKey = "a") => ({
  atNs,
  batchSize: 2,
  shapeKey,
  priority: 1,
  timeoutNs: 7,
  byteLength: 8,
  cost: 3,
});

describe("RecentTraffic", () => {
  it("keeps requests as they came, with what became of them", () => {
    const traffic = new RecentTraffic();
    const first = traffic.arrived(arrival(10));
    traffic.arrived(arrival(20, "b"));
    traffic.answered(first, 5);
    traffic.executed({ endNs: 15, batchSize: 2, ns: 4, restNs: 1 });
    const { arrivals, executions, isWhole } = traffic.since(0);
    expect(arrivals).toEqual([
      { ...arrival(10), totalNs: 5 },
      { ...arrival(20, "b"), totalNs: Number.NaN },
    ]);
    expect([executions, isWhole]).toEqual([[{ endNs: 15, batchSize: 2, ns: 4, restNs: 1 }], true]);
    expect(traffic.since(20).arrivals).toHaveLength(1);
    expect(traffic.since(16).executions).toEqual([]);
  });

  it("keeps the newest, and says when the window goes further back", () => {
    const traffic = new RecentTraffic(100);
    const serials = Array.from({ length: 250 }, (_, at) => traffic.arrived(arrival(at)));
    // One that is no longer kept must not be taken for the one in its place.
    traffic.answered(serials[0] ?? 0, 9);
    traffic.answered(serials[249] ?? 0, 9);
    traffic.answered(-1, 9);
    const whole = traffic.since(0);
    expect(whole.isWhole).toBe(false);
    expect(whole.arrivals.map(({ atNs }) => atNs)).toEqual(Array.from({ length: 100 }, (_, at) => 150 + at));
    expect(whole.arrivals.filter(({ totalNs }) => totalNs === 9).map(({ atNs }) => atNs)).toEqual([249]);
    expect(traffic.since(151).isWhole).toBe(true);
  });

  it("tells a thousand shapes apart and calls the rest by one name", () => {
    const traffic = new RecentTraffic();
    for (let at = 0; at < 1_100; at++) traffic.arrived(arrival(at, `s${at}`));
    const keys = new Set(traffic.since(0).arrivals.map(({ shapeKey }) => shapeKey));
    expect([keys.size, keys.has("s999"), keys.has("other")]).toEqual([1_001, true, true]);
  });
});
