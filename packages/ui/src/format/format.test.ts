import { describe, expect, it } from "vitest";
import { formatBytes } from "./format-bytes.ts";
import { formatDuration, formatTick } from "./format-duration.ts";
import { formatNumber, formatShare } from "./format-number.ts";
import { formatAge } from "./format-time.ts";

describe("formats", () => {
  it.each([
    [null, "–"],
    [0, "0 ms"],
    [0.0421, "42.1 µs"],
    [0.4127, "413 µs"],
    [1, "1.00 ms"],
    [42.06, "42.1 ms"],
    [999.4, "999 ms"],
    [999.9, "1.00 s"],
    [61_230, "61.2 s"],
  ])("formatDuration(%s) is %s", (ms, text) => expect(formatDuration(ms)).toBe(text));

  it.each([
    [0, "0 ms"],
    [40, "40 ms"],
    [100, "100 ms"],
    [2.5, "2.5 ms"],
    [1, "1 ms"],
    [0.05, "50 µs"],
    [1500, "1.5 s"],
  ])("formatTick(%s) is %s", (ms, text) => expect(formatTick(ms)).toBe(text));

  it.each([
    [null, "–"],
    [0, "0"],
    [7, "7"],
    [0.25, "0.25"],
    [12.345, "12.3"],
    [1234.5, "1235"],
    [12_345, "12.3k"],
    [250_000, "250k"],
  ])("formatNumber(%s) is %s", (value, text) => expect(formatNumber(value)).toBe(text));

  it.each([
    [null, "–"],
    [0, "0 %"],
    [0.0004, "<0.1 %"],
    [0.054, "5.4 %"],
    [0.5, "50 %"],
    [1, "100 %"],
  ])("formatShare(%s) is %s", (share, text) => expect(formatShare(share)).toBe(text));

  it.each([
    [undefined, "–"],
    [0, "0 B"],
    [1536, "1.5 KiB"],
    [200 * 1024 ** 2, "200 MiB"],
  ])("formatBytes(%s) is %s", (bytes, text) => expect(formatBytes(bytes)).toBe(text));

  it.each([
    [10, "just now"],
    [60, "1 min ago"],
    [7_200, "2 h ago"],
    [172_800, "2 d ago"],
  ])("%s seconds are %s", (seconds, text) => expect(formatAge(new Date(0), seconds * 1000)).toBe(text));
});
