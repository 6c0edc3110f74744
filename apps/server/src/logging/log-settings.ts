import { NereidError } from "@nereid/errors";
import type { Logger } from "pino";
import type { LogFormat, LogOptions } from "../options/log-options.ts";
import { controlsOf } from "../process/log.ts";
import { type LogControls, leastLevel, logControls } from "./log-controls.ts";

/** The settings of the logging extension (http.md §13). */
export interface LogSettingValues {
  readonly logFile: string;
  readonly logInfo: boolean;
  readonly logWarning: boolean;
  readonly logError: boolean;
  readonly logVerboseLevel: number;
  readonly logFormat: LogFormat;
}

export type LogSettingChange = Partial<Omit<LogSettingValues, "logFile">>;

/** What is logged; both front ends read and change it through here. The file is not changed over the network. */
export class LogSettings {
  readonly #file: string;
  readonly #log: Logger;
  readonly #controls: LogControls;

  constructor(options: LogOptions, log: Logger) {
    this.#file = options.file;
    this.#log = log;
    // A logger made elsewhere has no switches; its settings are kept and its lines stay as they are.
    this.#controls = controlsOf(log) ?? logControls(options);
  }

  /** Above 0 more is written about every request. */
  get verbose(): number {
    return this.#controls.verbose;
  }

  /** A line for those who asked for more. */
  detail(about: Readonly<Record<string, unknown>>, text: string): void {
    this.#log.debug(about, text);
  }

  get(): LogSettingValues {
    const { info, warning, error, verbose, format } = this.#controls;
    return {
      logFile: this.#file,
      logInfo: info,
      logWarning: warning,
      logError: error,
      logVerboseLevel: verbose,
      logFormat: format,
    };
  }

  /** Takes effect with the next line. INVALID_ARGUMENT for a level that is no whole number; then nothing is changed. */
  update(change: LogSettingChange): LogSettingValues {
    const { logVerboseLevel: verbose } = change;
    if (verbose !== undefined && !(Number.isInteger(verbose) && verbose >= 0))
      throw new NereidError("INVALID_ARGUMENT", `invalid argument for log_verbose_level, got: ${verbose}`);
    const controls = this.#controls;
    controls.info = change.logInfo ?? controls.info;
    controls.warning = change.logWarning ?? controls.warning;
    controls.error = change.logError ?? controls.error;
    controls.verbose = verbose ?? controls.verbose;
    controls.format = change.logFormat ?? controls.format;
    this.#log.level = leastLevel(controls);
    return this.get();
  }
}
