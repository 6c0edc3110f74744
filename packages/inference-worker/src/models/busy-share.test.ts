import { describe, expect, it } from "vitest";
import { BusyShare } from "./busy-share.ts";

describe("the busy share of an instance", () => {
  it("is that of the last one to two spans between marks", () => {
    const share = new BusyShare(0);
    expect(share.at(100, 50)).toBe(0.5);
    share.mark(100, 50);
    share.mark(200, 50);
    // Since the first mark: 20 of 150.
    expect(share.at(250, 70)).toBeCloseTo(20 / 150);
    share.mark(300, 70);
    expect(share.at(400, 170)).toBeCloseTo(120 / 200);
  });

  it("is never beyond all of the time, and nothing before any has passed", () => {
    const share = new BusyShare(10);
    expect([share.at(10, 5), share.at(20, 50)]).toEqual([0, 1]);
  });
});
