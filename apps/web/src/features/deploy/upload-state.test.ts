import { describe, expect, it } from "vitest";
import { allDone, isUnderWay, statusText, totalProgress, type UploadState, withSample } from "./upload-state.ts";

const upload = (sent: number, kind: "sending" | "done" | "paused" = "sending"): UploadState => ({
  path: "m.onnx",
  bytes: 100,
  sent,
  status: kind === "done" ? { kind, verified: true } : { kind },
});

describe("totalProgress()", () => {
  it("sums the files and tells speed and time left from the samples", () => {
    const samples = [
      { atMs: 0, sent: 20 },
      { atMs: 2_000, sent: 60 },
    ];
    expect(totalProgress([upload(40), upload(20)], samples)).toEqual({
      sent: 60,
      bytes: 200,
      speed: 20,
      secondsLeft: 7,
    });
  });

  it("knows no speed from one sample, nor from a standstill", () => {
    expect(totalProgress([upload(40)], [{ atMs: 0, sent: 40 }])).toMatchObject({ speed: null, secondsLeft: null });
    const still = [
      { atMs: 0, sent: 40 },
      { atMs: 5_000, sent: 40 },
    ];
    expect(totalProgress([upload(40)], still)).toMatchObject({ speed: null, secondsLeft: null });
  });
});

it("withSample() forgets what is older than the window", () => {
  const samples = withSample(
    [
      { atMs: 0, sent: 1 },
      { atMs: 9_000, sent: 2 },
    ],
    { atMs: 10_000, sent: 3 },
  );
  expect(samples.map(({ sent }) => sent)).toEqual([2, 3]);
});

it("a paused upload is neither done nor lost by leaving", () => {
  expect([allDone([upload(100, "done"), upload(3, "paused")]), isUnderWay([upload(3, "paused")])]).toEqual([
    false,
    false,
  ]);
  expect([allDone([upload(100, "done")]), allDone([])]).toEqual([true, false]);
  expect(statusText({ ...upload(3), status: { kind: "hashing", bytes: 50 } })).toBe("computing the checksum, 50 %");
});
