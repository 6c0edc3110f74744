import { showTimesIn } from "@nereid/ui";
import { afterEach, expect, it } from "vitest";
import { fromInputTime, toInputTime } from "./input-time.ts";

const NOW = 1_700_000_000;

afterEach(() => showTimesIn("browser"));

it("typed times come back as they were, and nonsense is nothing", () => {
  expect(fromInputTime(toInputTime(NOW))).toBe(NOW);
  expect(fromInputTime("")).toBeNull();
  expect(fromInputTime("2026-13-99T00:00")).toBeNull();
});

it.each([
  ["UTC", "2023-11-14T22:13:20"],
  ["Asia/Tokyo", "2023-11-15T07:13:20"],
  ["America/Los_Angeles", "2023-11-14T14:13:20"],
])("in %s they are typed and read in that zone", (zone, text) => {
  showTimesIn(zone);
  expect(toInputTime(NOW)).toBe(text);
  expect(fromInputTime(text)).toBe(NOW);
});
