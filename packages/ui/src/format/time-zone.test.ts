import { afterEach, describe, expect, it } from "vitest";
import { timeTicks } from "../charts/nice-scale.ts";
import { stepLabel, timeLabel } from "../charts/time-words.ts";
import { formatClock, formatDateTime } from "./format-time.ts";
import { fromWall, knownZones, shownZone, showTimesIn, toWall } from "./time-zone.ts";

const NOON = Date.UTC(2026, 6, 1, 12) / 1000;
const HOUR = 3_600;
const wall = (...parts: [number, number, number, number]) => Date.UTC(...parts) / 1000;

afterEach(() => showTimesIn("browser"));

describe("times in the zone that their reader has chosen", () => {
  it.each([
    ["UTC", "12:00:00"],
    ["Asia/Kolkata", "17:30:00"],
    ["America/New_York", "08:00:00"],
  ])("in %s noon of UTC is %s", (zone, clock) => {
    showTimesIn(zone);
    expect(formatClock(NOON)).toBe(clock);
    expect(formatDateTime(new Date(NOON * 1000))).toContain(clock);
    expect(stepLabel(NOON, 1)).toBe(`1 Jul, ${clock}`);
    expect(timeLabel(NOON, 600)).toBe(clock);
    expect(fromWall(toWall(NOON))).toBe(NOON);
  });

  it("a zone that is not known here leaves the browser's", () => {
    const own = shownZone();
    showTimesIn("Moon/Tranquility");
    expect(shownZone()).toBe(own);
    expect(knownZones()[0]).toBe("UTC");
  });

  it("where the clock is put back the first of two hours is meant, where it is put forward the hour after", () => {
    showTimesIn("Europe/Berlin");
    expect(fromWall(wall(2026, 9, 25, 2))).toBe(wall(2026, 9, 25, 0));
    expect(toWall(fromWall(wall(2026, 2, 29, 2)))).toBe(wall(2026, 2, 29, 3));
  });

  it("days of a time axis begin at midnight of the zone, also across a change of the clock", () => {
    showTimesIn("Europe/Berlin");
    const from = wall(2026, 9, 23, 12);
    const ticks = timeTicks(from, from + 5 * 24 * HOUR, 5);
    expect(ticks.map((t) => toWall(t) % (24 * HOUR))).toEqual([0, 0, 0, 0, 0]);
    expect(ticks.map((t) => timeLabel(t, 5 * 24 * HOUR))[0]).toBe("24 Oct");
  });
});
