import { type LatencyRow, latencyFigures } from "../metrics/latency-row.ts";
import { countWithin } from "./heat-bins.ts";
import type { HistoryPoint } from "./history-reader.ts";

/** One step of one series. Durations are milliseconds and null without requests; counts are of the whole step. */
export interface HistoryRow extends LatencyRow {
  /** Seconds of data in it. */
  readonly seconds: number;
  /** Greatest number of pending requests; `pending` is the mean. */
  readonly pendingMost: number;
  /** Requests that succeeded within the promised time; null without a promise. */
  readonly good: number | null;
}

/** A step as the charts want it. */
export function historyRowOf({ t, merged, seconds }: HistoryPoint, sloMs?: number): HistoryRow {
  return {
    t,
    ...latencyFigures(merged),
    pending: seconds === 0 ? 0 : merged.pendingSum / seconds,
    seconds,
    pendingMost: merged.pending,
    good: sloMs === undefined ? null : countWithin(merged.latency, sloMs),
  };
}
