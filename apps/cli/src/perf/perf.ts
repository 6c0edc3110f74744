import { NereidError } from "@nereid/errors";
import { plainText } from "../plain-text.ts";
import { runCheck } from "./check/run-check.ts";
import { parseCheckArgs } from "./parse-check-args.ts";
import { parsePerfCommand } from "./parse-perf-command.ts";
import { pauseUnless } from "./pause-unless.ts";
import type { PerfOutput } from "./perf-output.ts";
import { EXIT, runPerf } from "./run-perf.ts";

const VERSION = "0.1.0";

/** `nereid perf`: answers perf_analyzer's exit code, or the verdict on a scenario. Ctrl-C ends the measurement and tells what there is; a second one ends the process. */
export async function perf(args: readonly string[], generator: string): Promise<number> {
  const { output, close } = terminal();
  try {
    const place = { output, generator, version: VERSION };
    const check = parseCheckArgs(args);
    return check === undefined ? await runPerf(parsePerfCommand(args), place) : await runCheck(check, place);
  } catch (error) {
    const { message, fix, details } = NereidError.from(error);
    console.error(plainText(`nereid perf: ${message}${fix === undefined ? "" : `\n  to do: ${fix}`}`));
    return details["option"] === true ? EXIT.option : EXIT.other;
  } finally {
    close();
  }
}

const ALIVE_EVERY_MS = 1_000;

/** The report on standard output; progress on standard error where that is a terminal, with the seconds since it changed. */
function terminal(): { readonly output: PerfOutput; close(): void } {
  const stop = new AbortController();
  const live = process.stderr.isTTY === true;
  let shown: { readonly text: string; readonly sinceMs: number } | undefined;
  const clear = () => {
    if (shown !== undefined) process.stderr.write("\r\u001b[2K");
    shown = undefined;
  };
  const alive = () => {
    if (shown === undefined) return;
    const seconds = Math.floor((performance.now() - shown.sinceMs) / 1000);
    process.stderr.write(`\r\u001b[2K${plainText(shown.text)} (${seconds} s)`);
  };
  // A window may last an hour.
  const timer = live ? setInterval(alive, ALIVE_EVERY_MS) : undefined;
  const onSignal = () => {
    if (stop.signal.aborted) process.exit(EXIT.other);
    stop.abort();
  };
  process.on("SIGINT", onSignal);
  const output: PerfOutput = {
    line: (text) => {
      clear();
      process.stdout.write(`${plainText(text)}\n`);
    },
    progress: (text) => {
      if (!live) return;
      clear();
      process.stderr.write(plainText(text));
      shown = { text, sinceMs: performance.now() };
    },
    pause: (ms) => pauseUnless(stop.signal, ms),
    stopped: () => stop.signal.aborted,
  };
  const close = () => {
    clearInterval(timer);
    clear();
    process.off("SIGINT", onSignal);
  };
  return { output, close };
}
