import { describe, expect, it } from "vitest";
import { nowMs } from "./clock.ts";
import { DueClock } from "./due-clock.ts";

/** When it was woken, on the clock of the moments. */
const woken = (clock: DueClock, dueMs: number) =>
  new Promise<number>((resolve) => clock.wakeAt(dueMs, () => resolve(nowMs())));

describe("DueClock", () => {
  it("wakes once for each moment, hardly before it, also for one that has passed", async () => {
    using clock = await DueClock.start();
    for (const inMs of [20, 3, 0, -5, 1]) {
      const dueMs = nowMs() + inMs;
      expect(await woken(clock, dueMs)).toBeGreaterThan(dueMs - 1);
    }
  });

  it("forgets a moment when it is given another, sooner or later", async () => {
    using clock = await DueClock.start();
    const forgotten: string[] = [];
    clock.wakeAt(nowMs() + 60_000, () => forgotten.push("later"));
    await woken(clock, nowMs() + 5);
    clock.wakeAt(nowMs() + 5, () => forgotten.push("sooner"));
    await woken(clock, nowMs() + 30);
    expect(forgotten).toEqual([]);
  });

  it("wakes nobody once it is disposed of", async () => {
    const wakes: string[] = [];
    {
      using clock = await DueClock.start();
      clock.wakeAt(nowMs() + 10, () => wakes.push("too late"));
    }
    using other = await DueClock.start();
    await woken(other, nowMs() + 40);
    expect(wakes).toEqual([]);
  });
});
