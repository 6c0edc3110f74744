import type { FlightRecord } from "@nereid/client";
import { describe, expect, it } from "vitest";
import { requestLines } from "./request-lines.ts";
import { requestStory } from "./request-story.ts";
import { plain, timeText } from "./request-words.ts";

const slow: FlightRecord = {
  serial: 7,
  id: "r-7",
  model: "resnet",
  version: "2",
  causes: ["slow"],
  atMs: Date.parse("2026-11-20T08:00:00Z"),
  outcome: "answered",
  totalNs: 9_000_000,
  queue: { position: 3, waitedNs: 6_000_000, priority: 1 },
  batch: { serial: 4, requests: 3, size: 5, reason: "deadline-near", leftWaiting: 1, mates: ["#6", "r-8"] },
  instance: { name: "resnet_0_0", device: 0 },
  phases: { inputNs: 100_000, inferNs: 2_500_000, outputNs: 300_000 },
  bytes: { input: 1200, output: 4, copied: 0 },
  sequence: "11",
  shapes: [{ name: "x", shape: [2, 3] }],
  cached: false,
  steps: [
    { model: "crop", version: "1", startedNs: 0, queueNs: 10_000, computeNs: 20_000, copiedBytes: 12 },
    { model: "read", version: "3", startedNs: 1_500_000, queueNs: 0, computeNs: 2e9, copiedBytes: 0 },
  ],
  writeNs: 40_000,
};
const failed: FlightRecord = {
  serial: 8,
  id: "",
  model: "resnet",
  version: "1",
  causes: ["sampled", "failed"],
  atMs: Date.parse("2026-11-20T08:00:01.5Z"),
  outcome: "failed",
  error: { code: "UNAVAILABLE", message: "full\u001b[2J" },
  totalNs: 20_000,
  queue: { position: 9, waitedNs: 0, priority: 0 },
  bytes: { input: 12, output: 0, copied: 0 },
  shapes: [],
};

describe("requestStory()", () => {
  it("tells all of a request", () => {
    expect(requestStory(slow)).toEqual([
      "request r-7 (#7) to resnet/2",
      "  came      2026-11-20T08:00:00.000Z, remembered as slow",
      "  outcome   answered after 9.00 ms",
      "  sequence  11",
      "  queue     3 waited before it; waited 6.00 ms; priority 1",
      "  batch     #4 of 3 requests, size 5; sent because: deadline near; 1 left waiting",
      "  mates     #6, r-8",
      "  instance  resnet_0_0, device 0",
      "  phases    input 100 µs, execution 2.50 ms, output 300 µs, sending 40 µs",
      "  bytes     1.2 KB in, 4 B out, 0 B copied",
      "  inputs    x [2, 3]",
      "  step    began after  waited  computed  copied",
      "  crop/1         0 µs   10 µs     20 µs    12 B",
      "  read/3      1.50 ms    0 µs    2.00 s     0 B",
    ]);
  });

  it("leaves out what did not happen, and shows control characters instead of obeying them", () => {
    expect(requestStory(failed)).toEqual([
      "request #8 to resnet/1",
      "  came      2026-11-20T08:00:01.500Z, remembered as sampled, failed",
      "  outcome   failed after 20 µs, UNAVAILABLE: full\\u001b[2J",
      "  queue     9 waited before it; waited 0 µs; priority 0",
      "  bytes     12 B in, 0 B out, 0 B copied",
    ]);
  });

  it("says how many mates are not named, and that an answer came from the cache", () => {
    const batch = { serial: 1, requests: 20, size: 20, reason: "full", leftWaiting: 0, mates: ["a"] };
    const story = requestStory({ ...slow, batch, cached: true }).join("\n");
    expect(story).toContain("mates     a and 18 more");
    expect(story).toContain("answered after 9.00 ms, from the response cache");
  });
});

it("requestLines() is a table, whose names and errors cannot break it", () => {
  expect(requestLines([failed, { ...slow, id: "a\nb" }])).toEqual([
    "when (UTC)               request   model     because             took   waited  batch  outcome",
    "2026-11-20 08:00:01.500  #8        resnet/1  sampled, failed    20 µs     0 µs      -  UNAVAILABLE: full\\u001b[2J",
    "2026-11-20 08:00:00.000  a\\u000ab  resnet/2  slow             9.00 ms  6.00 ms      5  answered",
  ]);
});

it.each([
  [0, "0 µs"],
  [999_499, "999 µs"],
  [999_500, "1.00 ms"],
  [123_456_789, "123 ms"],
  [999_499_999, "999 ms"],
  [1_500_000_000, "1.50 s"],
])("timeText(%d) is %s", (ns, text) => {
  expect(timeText(ns)).toBe(text);
});

it("plain() leaves other letters alone", () => {
  expect(plain("äß\t€")).toBe("äß\\u0009€");
});
