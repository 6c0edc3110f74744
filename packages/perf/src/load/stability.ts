import { latencyFigures } from "./latency-figures.ts";
import { type LoadWindow, latenciesUs, throughputOf } from "./load-window.ts";

/** Windows that must agree, and that make the result. */
export const STABLE_WINDOWS = 3;

export interface StabilityRule {
  /** Allowed distance of the largest from the smallest, e.g. 0.1. */
  readonly tolerance: number;
  /** The percentile that must agree; undefined = the average. */
  readonly percentile: number | undefined;
  readonly maxWindows: number;
  /** Milliseconds; a window at or over it ends the level. 0 = none. */
  readonly latencyLimitMs: number;
  readonly batch: number;
}

export type Verdict =
  | { readonly kind: "go-on" }
  | { readonly kind: "stable" }
  /** The windows were used up. */
  | { readonly kind: "unstable" }
  | { readonly kind: "over-limit" };

/** The latency that is compared, in microseconds: the chosen percentile, or the average. Pure. */
export function chosenLatencyUs(window: LoadWindow, percentile: number | undefined): number {
  if (percentile === undefined) return latencyFigures(latenciesUs(window)).averageUs;
  return latencyFigures(latenciesUs(window), [percentile]).percentilesUs.get(percentile) ?? 0;
}

/** Whether a latency reaches a limit; compared in whole milliseconds, as perf_analyzer does. Pure. */
export function isOverLimit(latencyUs: number, limitMs: number): boolean {
  return limitMs > 0 && Math.floor(latencyUs / 1000) >= limitMs;
}

/** What follows from the windows so far: the last three must agree in throughput and in latency. Pure. */
export function judgeWindows(windows: readonly LoadWindow[], rule: StabilityRule): Verdict {
  const last = windows.slice(-STABLE_WINDOWS);
  const latencies = last.map((window) => chosenLatencyUs(window, rule.percentile));
  if (
    latencies.some((latency, at) => (last[at]?.requests.length ?? 0) > 0 && isOverLimit(latency, rule.latencyLimitMs))
  )
    return { kind: "over-limit" };
  if (last.length === STABLE_WINDOWS) {
    const rates = last.map((window) => throughputOf(window, rule.batch));
    if (rates.every((rate) => rate > 0) && agree(rates, rule.tolerance) && agree(latencies, rule.tolerance))
      return { kind: "stable" };
  }
  return { kind: windows.length >= rule.maxWindows ? "unstable" : "go-on" };
}

function agree(values: readonly number[], tolerance: number): boolean {
  return Math.max(...values) <= (1 + tolerance) * Math.min(...values);
}
