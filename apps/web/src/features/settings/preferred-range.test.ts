import { expect, it } from "vitest";
import { EVENT_RANGE_SECONDS } from "../events/search-params.ts";
import { HISTORY_RANGE_SECONDS, RANGE_SECONDS } from "../latency/search-params.ts";
import { NODE_RANGE_SECONDS } from "../nodes/search-params.ts";
import { preferredRange } from "./preferred-range.ts";

it.each([
  [preferredRange(null, HISTORY_RANGE_SECONDS, "5m"), "5m"],
  [preferredRange("6h", HISTORY_RANGE_SECONDS, "5m"), "6h"],
  [preferredRange("24h", RANGE_SECONDS, "5m"), "15m"],
  [preferredRange("30d", NODE_RANGE_SECONDS, "5m"), "7d"],
  [preferredRange("1m", EVENT_RANGE_SECONDS, "24h"), "15m"],
  [preferredRange("30d", EVENT_RANGE_SECONDS, "24h"), "30d"],
])("a page takes the preferred range, or the nearest that it has: %s is %s", (range, expected) =>
  expect(range).toBe(expected),
);
