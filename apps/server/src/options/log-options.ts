import { bad, type GivenFlags } from "./given-flags.ts";

export type LogFormat = "default" | "ISO8601";

/** What is logged at start; the logging extension changes it while the server runs, but for the file. */
export interface LogOptions {
  readonly info: boolean;
  readonly warning: boolean;
  readonly error: boolean;
  readonly verbose: number;
  readonly format: LogFormat;
  /** Empty = standard error. */
  readonly file: string;
  /** One line for every request. */
  readonly access: boolean;
}

/** The `--log-*` options, and `--access-log`. */
export function parseLogOptions(given: GivenFlags): LogOptions {
  return {
    info: given.boolean("log-info") ?? true,
    warning: given.boolean("log-warning") ?? true,
    error: given.boolean("log-error") ?? true,
    verbose: verbosity(given.text("log-verbose")),
    format: format(given.text("log-format")),
    file: given.text("log-file") ?? "",
    access: given.boolean("access-log") ?? false,
  };
}

function verbosity(text: string | undefined): number {
  const lower = text?.toLowerCase();
  if (lower === undefined || lower === "false" || lower === "off") return 0;
  if (lower === "true" || lower === "on") return 1;
  if (!/^\d{1,9}$/.test(lower)) throw bad("log-verbose", `expected a number or a boolean, got "${text}"`);
  return Number(lower);
}

function format(text: string | undefined): LogFormat {
  if (text === undefined || text === "default") return "default";
  if (text === "ISO8601") return text;
  throw bad("log-format", `expected default or ISO8601, got "${text}"`);
}
