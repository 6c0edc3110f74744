import { describe, expect, it } from "vitest";
import { BusySeconds } from "./busy-seconds.ts";

const SECOND = 1e9;

describe("BusySeconds", () => {
  it("tells the share of the last seconds, and what a second added", () => {
    const busy = new BusySeconds(0);
    let total = 0;
    for (let second = 1; second <= 120; second += 1) {
      // Half busy for 110 s, idle from then on.
      const added = second <= 110 ? SECOND / 2 : 0;
      total += added;
      expect(busy.mark(second * SECOND, total)).toBe(added);
    }
    const now = { nowNs: 120 * SECOND, busyNs: total };
    expect(busy.share(5, now)).toBe(0);
    expect(busy.share(60, now)).toBeCloseTo(0.5 * (50 / 60), 1);
  });

  it("tells of its whole life while that is shorter, and of nothing at its start", () => {
    const busy = new BusySeconds(5 * SECOND);
    expect(busy.share(10, { nowNs: 5 * SECOND, busyNs: 0 })).toBe(0);
    busy.mark(6 * SECOND, SECOND);
    expect(busy.share(60, { nowNs: 7 * SECOND, busyNs: SECOND })).toBeCloseTo(0.5);
  });

  it("never goes below nothing when its clock of work starts anew", () => {
    const busy = new BusySeconds(0, 4 * SECOND);
    expect(busy.mark(SECOND, SECOND)).toBe(0);
  });
});
