import { type Logger, pino } from "pino";
import type { ServerOptions } from "../options/server-options.ts";

/** Structured log lines on standard error: one JSON object a line, so that nothing a client sends can forge a line. */
export function createLog(options: Pick<ServerOptions, "logInfo" | "logWarning" | "logError" | "logVerbose">): Logger {
  return pino(
    {
      level: levelOf(options),
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (level) => ({ level }) },
    },
    pino.destination({ fd: 2, sync: true }),
  );
}

function levelOf({
  logInfo,
  logWarning,
  logError,
  logVerbose,
}: Pick<ServerOptions, "logInfo" | "logWarning" | "logError" | "logVerbose">): string {
  if (logVerbose > 0) return "debug";
  if (logInfo) return "info";
  if (logWarning) return "warn";
  return logError ? "error" : "silent";
}
