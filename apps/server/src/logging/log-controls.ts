import type { LogFormat, LogOptions } from "../options/log-options.ts";

/** What the writer of log lines looks at for every line; the logging extension changes it while the server runs. */
export interface LogControls {
  info: boolean;
  warning: boolean;
  error: boolean;
  verbose: number;
  format: LogFormat;
}

const DEBUG = 20;
const INFO = 30;
const WARN = 40;

export function logControls({ info, warning, error, verbose, format }: LogOptions): LogControls {
  return { info, warning, error, verbose, format };
}

/** Whether a line of this severity (pino's numbers) is written: Triton's switches are independent of each other. */
export function isWritten({ info, warning, error, verbose }: LogControls, level: number): boolean {
  if (level <= DEBUG) return verbose > 0;
  if (level <= INFO) return info;
  return level <= WARN ? warning : error;
}

/** The least severe level of which lines are written, by pino's names. */
export function leastLevel({
  info,
  warning,
  error,
  verbose,
}: LogControls): "debug" | "info" | "warn" | "error" | "silent" {
  if (verbose > 0) return "debug";
  if (info) return "info";
  if (warning) return "warn";
  return error ? "error" : "silent";
}
