import type { LogLine } from "@nereid/client";
import { describe, expect, it } from "vitest";
import { logFile, splitMatches } from "./log-text.ts";
import { volumeOf } from "./volume.ts";

const line = (atMs: number, level: LogLine["level"] = "info"): LogLine => ({
  id: atMs,
  atMs,
  level,
  source: "runner",
  model: "m",
  version: "1",
  instance: "",
  requestId: "r",
  text: "hello",
});

describe("splitMatches()", () => {
  it("marks every match, whatever the case, and keeps the text", () => {
    const parts = splitMatches("Error: error in ERRORS", "error");
    expect(parts.filter(({ hit }) => hit).map(({ text }) => text)).toEqual(["Error", "error", "ERROR"]);
    expect(parts.map(({ text }) => text).join("")).toBe("Error: error in ERRORS");
  });

  it("has one part without a search or a match", () => {
    expect(splitMatches("abc", "")).toHaveLength(1);
    expect(splitMatches("abc", "x")).toEqual([{ text: "abc", hit: false, at: 0 }]);
    expect(splitMatches("", "x")).toHaveLength(1);
  });
});

describe("volumeOf()", () => {
  it("counts every line once in at most 60 bins of a round width", () => {
    const volume = volumeOf([
      line(500),
      line(600, "warn"),
      ...Array.from({ length: 300 }, (_, at) => line(at * 1000, "error")),
    ]);
    expect(volume?.bins.length).toBeLessThanOrEqual(60);
    expect(volume?.bins.reduce((sum, { lines }) => sum + lines, 0)).toBe(302);
    expect(volume?.bins.reduce((sum, { error }) => sum + error, 0)).toBe(300);
    expect(volume?.widthMs).toBe(10_000);
    expect(volume?.summary).toContain("1 of them warnings and 300 errors; one bar is 10 s");
  });

  it("is null without lines, and one bin for one line", () => {
    expect(volumeOf([])).toBeNull();
    expect(volumeOf([line(7)])?.bins).toHaveLength(1);
  });
});

describe("logFile()", () => {
  it("is a line each, with the time in UTC", () => {
    expect(logFile([line(0, "warn")])).toBe("1970-01-01T00:00:00.000Z WARN  runner  v1 - id=r hello\n");
  });
});
