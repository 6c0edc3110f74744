import type { NodeReading, SecondBucket } from "@nereid/client";
import { mergeSeries } from "../metrics/merge-series.ts";
import { quantileMs } from "../metrics/quantile-ms.ts";
import { newestSeconds } from "../metrics/window-figures.ts";

const TREND_SECONDS = 60;
const NS_PER_MS = 1e6;

/** Live figures of a whole node over the last ten seconds. */
export interface NodeFigures {
  /** Unix second that they end with. */
  readonly t: number;
  readonly requestsPerSecond: number;
  readonly failuresPerSecond: number;
  /** Of its requests, 0…1; null without requests. */
  readonly failureShare: number | null;
  /** Milliseconds; null without requests, or where the node tells no percentiles. */
  readonly p99: number | null;
  /** Milliseconds; null without requests. */
  readonly mean: number | null;
  readonly pending: number;
  /** Requests of each of the last 60 seconds, oldest first; null where there is none. */
  readonly trend: readonly (number | null)[];
  /** The newest reading of the machine; null where the node tells none. */
  readonly reading: NodeReading | null;
}

/** The figures of the newest seconds; null when nothing is remembered. */
export function nodeFigures(buckets: readonly SecondBucket[]): NodeFigures | null {
  const newest = buckets.at(-1);
  if (newest === undefined) return null;
  const seconds = newestSeconds(buckets);
  const merged = mergeSeries(seconds.flatMap((bucket) => bucket.series));
  const all = merged.success + merged.failure;
  return {
    t: newest.t,
    requestsPerSecond: all / seconds.length,
    failuresPerSecond: merged.failure / seconds.length,
    failureShare: all === 0 ? null : merged.failure / all,
    p99: quantileMs(merged.latency, 0.99),
    mean: merged.success === 0 ? null : merged.sumNs.request / merged.success / NS_PER_MS,
    pending: newest.series.reduce((sum, one) => sum + one.pending, 0),
    trend: trendOf(buckets, newest.t),
    reading: seconds.findLast((bucket) => bucket.node !== undefined)?.node ?? null,
  };
}

function trendOf(buckets: readonly SecondBucket[], newest: number): (number | null)[] {
  const start = newest - TREND_SECONDS + 1;
  const trend: (number | null)[] = Array.from({ length: TREND_SECONDS }, () => null);
  for (const { t, series } of buckets) {
    if (t >= start) trend[t - start] = series.reduce((sum, one) => sum + one.success + one.failure, 0);
  }
  return trend;
}
