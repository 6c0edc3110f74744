import { describe, expect, it } from "vitest";
import { PingGuard } from "./ping-guard.ts";
import { ResetGuard } from "./reset-guard.ts";

const LIMITS = { permitWithoutCalls: false, minRecvPingIntervalWithoutDataMs: 1000, maxPingStrikes: 2 };
const HOUR = 3_600_000;

describe("PingGuard", () => {
  it("takes pings that come seldom enough for ever", () => {
    const guard = new PingGuard(LIMITS);
    for (let turn = 0; turn < 20; turn += 1) expect(guard.received(turn * 1000, true)).toBe(false);
  });

  it("takes the first, counts those that come too soon, and refuses the third of them", () => {
    const guard = new PingGuard(LIMITS);
    expect([0, 999, 1998, 2997].map((now) => guard.received(now, true))).toEqual([false, false, false, true]);
  });

  it("without calls expects two hours between pings, unless they are permitted", () => {
    const guard = new PingGuard(LIMITS);
    expect([0, 1, 1.9, 2].map((hours) => guard.received(hours * HOUR, false))).toEqual([false, false, false, true]);
    const patient = new PingGuard({ ...LIMITS, permitWithoutCalls: true });
    expect([0, 1, 1.9, 2].map((hours) => patient.received(hours * HOUR, false))).toEqual([false, false, false, false]);
  });

  it("forgives everything when something is sent", () => {
    const guard = new PingGuard(LIMITS);
    for (let turn = 0; turn < 10; turn += 1) {
      expect([0, 1, 2].map((now) => guard.received(turn * 10 + now, true))).toEqual([false, false, false]);
      guard.sent();
    }
  });

  it("with no limit of strikes takes any number", () => {
    const guard = new PingGuard({ ...LIMITS, maxPingStrikes: 0 });
    for (let turn = 0; turn < 100; turn += 1) expect(guard.received(0, false)).toBe(false);
  });
});

describe("ResetGuard", () => {
  const resets = (guard: ResetGuard, count: number, atMs: (index: number) => number) => {
    for (let index = 0; index < count; index += 1) if (guard.reset(atMs(index))) return index + 1;
    return undefined;
  };

  it("refuses a flood", () => {
    expect(resets(new ResetGuard(), 10_000, (index) => index / 10)).toBe(801);
  });

  it("takes what impatient clients need: 70 a second for ever", () => {
    expect(resets(new ResetGuard(), 20_000, (index) => (index * 1000) / 70)).toBeUndefined();
  });

  it("sees a steady stream of too many across its windows", () => {
    const refusedAfter = resets(new ResetGuard(), 20_000, (index) => index * 10);
    expect(refusedAfter).toBeGreaterThan(700);
    expect(refusedAfter).toBeLessThan(1700);
  });
});
