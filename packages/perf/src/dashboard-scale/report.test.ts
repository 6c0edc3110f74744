import { expect, it } from "vitest";
import { grew, growthLines, type MemorySample, pageLines } from "./report.ts";

it("tells growth from what has settled, and says when it cannot tell", () => {
  expect(grew([100, 150, 200, 200, 201, 200], 5)).toBe(false);
  expect(grew([100, 120, 140, 160, 180, 200], 5)).toBe(true);
  expect(grew([1, 1.2, 1.4, 1.6, 1.8, 2], 5)).toBe(false);
  expect(grew([100, 200], 5)).toBeNull();
});

it("names start, middle and end of what may grow", () => {
  const samples: MemorySample[] = [1, 2, 3, 4, 5, 6].map((minute) => ({
    minute,
    webMiB: 100 * minute,
    nodesMiB: 900,
    heapMiB: 20,
    domNodes: 1_000,
    webProcessor: 0.2,
  }));
  expect(growthLines(samples)[0]).toBe("web process, MiB: 100 at the start, 400 in the middle, 600 at the end; GREW");
  expect(growthLines(samples)[1]).toMatch(/steady$/);
});

it("marks pages that missed a bar", () => {
  const activity = {
    seconds: 10,
    frames: 600,
    longTasks: 1,
    longTaskMs: 60,
    longestTaskMs: 60,
    mostRedraws: 5,
    drawings: 3,
    mostPoints: 301,
  };
  const [, slow, quick] = pageLines([
    { name: "slow", cold: [1_600], clicked: [], activity: [activity] },
    { name: "quick", cold: [300], clicked: [100], activity: [{ ...activity, mostRedraws: 1, mostPoints: 300 }] },
  ]);
  expect(slow).toMatch(/6\.0 .* 60 .*MISSED first data, redraws, points$/);
  expect(quick).not.toContain("MISSED");
});
