import { pauseUnless } from "../perf/pause-unless.ts";
import { plainText } from "../plain-text.ts";

/** Where a tuning writes, and how it hears that it is to stop. */
export interface AnalyzeTerminal {
  line(text: string): void;
  /** One line that is replaced; nothing where nobody watches. */
  progress(text: string): void;
  pause(ms: number): Promise<void>;
  stopAsked(): boolean;
  readonly signal: AbortSignal;
  close(): void;
}

/** Interrupts after which nothing is finished any more. */
const MOST_INTERRUPTS = 3;

/** Lines on standard output, progress on standard error where that is a terminal. One Ctrl-C finishes the measurement under way, the third ends it. */
export function analyzeTerminal(verbosity: "quiet" | "usual" | "verbose"): AnalyzeTerminal {
  const abort = new AbortController();
  const live = process.stderr.isTTY === true && verbosity !== "quiet";
  let [interrupts, shown] = [0, false];
  const clear = () => {
    if (shown) process.stderr.write("\r\u001b[2K");
    shown = false;
  };
  const onSignal = () => {
    interrupts += 1;
    clear();
    if (interrupts >= MOST_INTERRUPTS) {
      process.stderr.write("Saving and ending now.\n");
      abort.abort();
    } else {
      const left = MOST_INTERRUPTS - interrupts;
      process.stderr.write(
        `Finishing this measurement, then saving; press Ctrl-C ${left} more time${left === 1 ? "" : "s"} to end now.\n`,
      );
    }
  };
  const onTerm = () => abort.abort();
  process.on("SIGINT", onSignal);
  process.on("SIGTERM", onTerm);
  return {
    line: (text) => {
      clear();
      process.stdout.write(`${plainText(text)}\n`);
    },
    progress: (text) => {
      if (!live) return;
      clear();
      process.stderr.write(plainText(text).slice(0, (process.stderr.columns ?? 100) - 1));
      shown = true;
    },
    pause: (ms) => (ms === 0 ? new Promise((resolve) => setImmediate(resolve)) : pauseUnless(abort.signal, ms)),
    stopAsked: () => interrupts > 0,
    signal: abort.signal,
    close: () => {
      clear();
      process.off("SIGINT", onSignal);
      process.off("SIGTERM", onTerm);
    },
  };
}
