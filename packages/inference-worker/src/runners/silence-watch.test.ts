import { describe, expect, it } from "vitest";
import { SilenceWatch } from "./silence-watch.ts";

const MS = 1e6;

describe("SilenceWatch", () => {
  it("counts the time since the last message, at every beat", () => {
    const watch = new SilenceWatch(0, 300);
    for (const at of [300, 600, 900]) watch.beat(at * MS);
    expect(watch.silentMs).toBe(900);
    watch.heard(950 * MS);
    watch.beat(1200 * MS);
    expect(watch.silentMs).toBe(250);
  });

  it("does not take a stall of its own event loop for silence of the runner", () => {
    const watch = new SilenceWatch(0, 300);
    watch.beat(300 * MS);
    watch.heard(310 * MS);
    // The loop stood still for 27 seconds; the answers lie unread in the socket.
    watch.beat(27_300 * MS);
    expect(watch.silentMs).toBeLessThan(600);
    watch.heard(27_301 * MS);
    watch.beat(27_600 * MS);
    expect(watch.silentMs).toBeLessThan(300);
  });

  it("still finds a runner silent that stays silent after a stall", () => {
    const watch = new SilenceWatch(0, 300);
    watch.beat(27_300 * MS);
    for (let at = 27_600; at <= 38_000; at += 300) watch.beat(at * MS);
    expect(watch.silentMs).toBeGreaterThan(10_000);
  });
});
