import { pino } from "pino";
import { describe, expect, it } from "vitest";
import type { LogOptions } from "../options/log-options.ts";
import { AccessLog } from "./access-log.ts";
import { escapeLine } from "./escape-line.ts";
import { isWritten, leastLevel, logControls } from "./log-controls.ts";
import { LogSettings } from "./log-settings.ts";
import { logTime } from "./log-time.ts";

const OPTIONS: LogOptions = {
  info: true,
  warning: true,
  error: true,
  verbose: 0,
  format: "default",
  file: "/var/log/x",
  access: false,
};
const LEVELS = { debug: 20, info: 30, warn: 40, error: 50, fatal: 60 };

/** Names of the levels that are written. */
function written(options: Partial<LogOptions>): string[] {
  const controls = logControls({ ...OPTIONS, ...options });
  return Object.entries(LEVELS)
    .filter(([, level]) => isWritten(controls, level))
    .map(([name]) => name);
}

describe("log levels", () => {
  it("are switched independently of each other", () => {
    expect(written({})).toEqual(["info", "warn", "error", "fatal"]);
    expect(written({ info: false })).toEqual(["warn", "error", "fatal"]);
    expect(written({ warning: false })).toEqual(["info", "error", "fatal"]);
    expect(written({ error: false })).toEqual(["info", "warn"]);
    expect(written({ info: false, warning: false, error: false, verbose: 1 })).toEqual(["debug"]);
  });

  it("have the least severe one that is written as their threshold", () => {
    const least = (options: Partial<LogOptions>) => leastLevel(logControls({ ...OPTIONS, ...options }));
    expect(least({ verbose: 3, info: false })).toBe("debug");
    expect(least({})).toBe("info");
    expect(least({ info: false })).toBe("warn");
    expect(least({ info: false, warning: false })).toBe("error");
    expect(least({ info: false, warning: false, error: false })).toBe("silent");
  });
});

describe("logTime()", () => {
  const at = Date.UTC(2026, 7, 1, 2, 3, 4, 56);

  it("has Triton's two forms", () => {
    expect(logTime("default", at)).toBe("0801 02:03:04.056000");
    expect(logTime("ISO8601", at)).toBe("2026-08-01T02:03:04.056Z");
  });
});

describe("escapeLine()", () => {
  it("escapes what terminals act on, and keeps the meaning of the JSON", () => {
    const text = "a\u007f\u009b31m\u0085\u2028\u202eevil\u2066 ü 模型";
    const line = JSON.stringify({ text });
    const escaped = escapeLine(line);
    expect(escaped).not.toMatch(/[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/);
    expect(escaped).toContain("ü 模型");
    expect(JSON.parse(escaped)).toEqual({ text });
  });
});

/** A logger that keeps its lines. */
function memoryLog() {
  const lines: Record<string, unknown>[] = [];
  const log = pino({ base: null, level: "info" }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  return { log, lines };
}

describe("LogSettings", () => {
  it("changes what is given and answers everything", () => {
    const { log } = memoryLog();
    const settings = new LogSettings(OPTIONS, log);
    expect(settings.get()).toEqual({
      logFile: "/var/log/x",
      logInfo: true,
      logWarning: true,
      logError: true,
      logVerboseLevel: 0,
      logFormat: "default",
    });
    expect(settings.update({ logVerboseLevel: 2, logFormat: "ISO8601" })).toMatchObject({
      logInfo: true,
      logVerboseLevel: 2,
      logFormat: "ISO8601",
    });
    expect(settings.verbose).toBe(2);
    expect(log.level).toBe("debug");
    settings.update({ logVerboseLevel: 0, logInfo: false });
    expect(log.level).toBe("warn");
  });

  it("refuses a level that is no whole number, and changes nothing then", () => {
    const settings = new LogSettings(OPTIONS, memoryLog().log);
    expect(() => settings.update({ logInfo: false, logVerboseLevel: -1 })).toThrow("log_verbose_level, got: -1");
    expect(settings.get().logInfo).toBe(true);
  });
});

describe("AccessLog", () => {
  it("writes one line, with texts of clients cut and times to the microsecond", () => {
    const { log, lines } = memoryLog();
    new AccessLog(log).write({
      protocol: "http",
      operation: `GET /${"x".repeat(5000)}`,
      peer: "127.0.0.1:5",
      model: "m".repeat(300),
      requestId: 'a\n{"level":"error"}',
      status: 404,
      durationMs: 1.23456789,
    });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({
      msg: "access",
      status: 404,
      durationMs: 1.235,
      requestId: 'a\n{"level":"error"}',
    });
    expect(String(lines[0]?.["operation"])).toHaveLength(257);
    expect(String(lines[0]?.["model"])).toHaveLength(257);
  });

  it("is silent while information lines are off", () => {
    const { log, lines } = memoryLog();
    const access = new AccessLog(log);
    log.level = "warn";
    access.write({ protocol: "grpc", operation: "ModelInfer", peer: undefined, status: "OK", durationMs: 1 });
    expect(lines).toEqual([]);
  });
});
