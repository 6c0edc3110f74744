/** What Next ends with after an orderly stop on SIGTERM and on SIGINT. */
const STOPPED_BY_SIGNAL = new Set([143, 130]);

export interface StopOptions {
  /** Called once, when the process was asked to end. */
  readonly onStop: () => void;
  /** Requests that take longer than this are cut off. */
  readonly longestMs: number;
  readonly exitWithParent: boolean;
}

/** Ends the process in order on SIGTERM and SIGINT and, when asked to, with its launcher; with exit code 0. */
export function stopWithProcess({ onStop, longestMs, exitWithParent }: StopOptions): void {
  let stopping = false;
  const stop = () => {
    if (stopping) return;
    stopping = true;
    onStop();
    setTimeout(() => process.exit(0), longestMs).unref();
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
  process.on("exit", (code) => {
    if (stopping && STOPPED_BY_SIGNAL.has(code)) process.exitCode = 0;
  });
  if (!exitWithParent) return;
  // Next holds the listening socket and closes it on the signal only.
  const orphaned = () => process.kill(process.pid, "SIGTERM");
  process.stdin.once("end", orphaned);
  process.stdin.once("error", orphaned);
  process.stdin.resume();
}
