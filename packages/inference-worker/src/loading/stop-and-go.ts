/** What lets a process run now and then only. */
export interface StopAndGo {
  /** Whether others are at work; while they are not, the process runs all the time. */
  readonly isServing: () => boolean;
  /** Stops the process and all that it started, or lets them go on. */
  readonly signal: (how: "stop" | "go") => void;
}

const PERIOD_MS = 200;
/** A twentieth of the time: so few requests meet it that the slowest of a hundred do not. */
const GO_MS = 10;

/**
 * Lets a process run a twentieth of the time for as long as others serve. It must go on for the time it is looked at: a stopped process cannot
 * say that it lives, so the stops are shorter than the silence at which it counts as dead. Ends with what is returned, the process running.
 */
export function stopAndGo({ isServing, signal }: StopAndGo): () => void {
  let stopped = false;
  let going: NodeJS.Timeout | undefined;
  const go = () => {
    if (stopped) signal("go");
    stopped = false;
  };
  const period = setInterval(() => {
    if (!isServing()) return;
    stopped = true;
    signal("stop");
    going = setTimeout(go, PERIOD_MS - GO_MS);
  }, PERIOD_MS);
  period.unref();
  return () => {
    clearInterval(period);
    clearTimeout(going);
    go();
  };
}
