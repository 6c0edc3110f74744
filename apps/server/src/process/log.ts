import { openSync } from "node:fs";
import { NereidError } from "@nereid/errors";
import { type Logger, pino } from "pino";
import { escapeLine } from "../logging/escape-line.ts";
import { isWritten, type LogControls, leastLevel, logControls } from "../logging/log-controls.ts";
import { logTime } from "../logging/log-time.ts";
import type { LogOptions } from "../options/log-options.ts";
import { LogStream } from "./log-stream.ts";

const CONTROLS = new WeakMap<Logger, LogControls>();

/**
 * Structured log lines on standard error or in a file: one JSON object a line, so that nothing a client sends can forge a line.
 * Lines are written at once; where every request is logged they are collected and written in the background, so that the log's
 * reader does not hold up requests. INVALID_ARGUMENT for a file that cannot be opened.
 */
export function createLog(options: LogOptions): Logger {
  const controls = logControls(options);
  const stream = new LogStream({ fd: options.file === "" ? 2 : open(options.file), buffered: options.access });
  process.on("exit", () => stream.flushNow());
  const log = pino(
    {
      level: leastLevel(controls),
      base: null,
      timestamp: () => `,"time":"${logTime(controls.format, Date.now())}"`,
      formatters: { level: (level) => ({ level }) },
      hooks: {
        logMethod(args, method, level) {
          if (isWritten(controls, level)) method.apply(this, args);
        },
        streamWrite: escapeLine,
      },
    },
    stream,
  );
  CONTROLS.set(log, controls);
  return log;
}

/** The switches of a logger that `createLog` made. */
export function controlsOf(log: Logger): LogControls | undefined {
  return CONTROLS.get(log);
}

function open(file: string): number {
  try {
    return openSync(file, "a", 0o640);
  } catch (cause) {
    throw new NereidError("INVALID_ARGUMENT", `Bad option: "--log-file". ${NereidError.from(cause).message}`, {
      cause,
    });
  }
}
