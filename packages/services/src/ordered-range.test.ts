import { expect, it } from "vitest";
import { exportAuditInput } from "./audit/export-audit.ts";
import { listAuditInput } from "./audit/list-audit.ts";
import { listEventsInput } from "./events/list-events.ts";
import { listTimelineInput } from "./events/list-timeline.ts";
import { historyInput } from "./history/get-history.ts";
import { parseInput } from "./parse-input.ts";
import { findRequestsInput } from "./requests/find-requests.ts";

const early = "2026-11-20T08:00:00Z";
const late = "2026-11-21T08:00:00Z";

it.each([
  ["events", listEventsInput, 10, 20],
  ["timeline", listTimelineInput, 10, 20],
  ["requests", findRequestsInput, 10, 20],
  ["history", historyInput, 10, 20],
  ["audit", listAuditInput, early, late],
  ["audit export", exportAuditInput, early, late],
])("%s: an end before the beginning was an empty answer", (_name, schema, before, after) => {
  expect(() => parseInput(schema, { from: after, to: before })).toThrow(
    expect.objectContaining({ code: "INVALID_ARGUMENT", message: expect.stringMatching(/^to: must/) }),
  );
  expect(parseInput(schema, { from: before, to: after })).toBeTypeOf("object");
});

it("durations too", () => {
  expect(() => parseInput(findRequestsInput, { slowerMs: 9, fasterMs: 3 })).toThrow("fasterMs: must not be less");
});
