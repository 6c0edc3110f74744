import type { SecondBucket } from "@nereid/client";
import { mergeSeries } from "./merge-series.ts";
import { quantileMs } from "./quantile-ms.ts";
import { type SeriesFilter, seriesIn } from "./series-filter.ts";

/** Seconds that live figures cover. */
export const FIGURES_SECONDS = 10;

/** Live figures of one model (or version) over some seconds. Rates are per second. */
export interface WindowFigures {
  readonly requestsPerSecond: number;
  readonly failuresPerSecond: number;
  /** Share of the requests that failed, 0…1; null without requests. */
  readonly failureShare: number | null;
  /** Milliseconds; null without requests. */
  readonly p99: number | null;
  /** Share of the mean request time spent in the queue, 0…1; null without requests. */
  readonly queueShare: number | null;
  /** Inferences per execution; null without executions. */
  readonly meanBatch: number | null;
  /** Pending requests at the end of the newest second. */
  readonly pending: number;
  /** Requests that the percentile rests on. */
  readonly samples: number;
}

/** The buckets of the last FIGURES_SECONDS up to the newest one. */
export function newestSeconds(buckets: readonly SecondBucket[]): SecondBucket[] {
  const newest = buckets.at(-1)?.t ?? 0;
  return buckets.filter((bucket) => bucket.t > newest - FIGURES_SECONDS);
}

/** Figures over the given buckets, oldest first; null when there are none. Seconds without a bucket do not dilute rates. */
export function windowFigures(buckets: readonly SecondBucket[], filter: SeriesFilter): WindowFigures | null {
  const newest = buckets.at(-1);
  if (newest === undefined) return null;
  const merged = mergeSeries(buckets.flatMap((bucket) => seriesIn(bucket, filter)));
  const all = merged.success + merged.failure;
  return {
    requestsPerSecond: all / buckets.length,
    failuresPerSecond: merged.failure / buckets.length,
    failureShare: all === 0 ? null : merged.failure / all,
    p99: quantileMs(merged.latency, 0.99),
    queueShare: merged.sumNs.request === 0 ? null : Math.min(1, merged.sumNs.queue / merged.sumNs.request),
    meanBatch: merged.executions === 0 ? null : merged.inferences / merged.executions,
    pending: seriesIn(newest, filter).reduce((sum, one) => sum + one.pending, 0),
    samples: merged.success,
  };
}
