import { expect, it } from "vitest";
import { progressLine } from "./progress-line.ts";

it("shows share, sizes, speed and the time that is left", () => {
  const line = progressLine({ name: "m.onnx", sent: 5_000_000, total: 20_000_000, seconds: 2 });
  expect(line).toBe(`m.onnx  ${"█".repeat(6)}${"░".repeat(18)}   25 %  5.0 of 20.0 MB  2.5 MB/s  6 s left`);
});

it("ends without a time, and an empty file is done", () => {
  expect(progressLine({ name: "m", sent: 9, total: 9, seconds: 1 })).not.toContain("left");
  expect(progressLine({ name: "m", sent: 0, total: 0, seconds: 0 })).toContain("100 %");
});
