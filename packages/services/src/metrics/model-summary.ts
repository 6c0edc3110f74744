import type { SecondBucket } from "@nereid/client";
import { seriesIn } from "./series-filter.ts";
import { type WindowFigures, windowFigures } from "./window-figures.ts";

/** What a list shows of a model's last seconds. */
export interface ModelSummary extends WindowFigures {
  readonly model: string;
  /** Requests of each second of the trend window, oldest first; null where there is no bucket. */
  readonly trend: readonly (number | null)[];
}

export interface SummaryWindow {
  /** Seconds that the figures cover. */
  readonly seconds: number;
  /** Seconds that the trend covers. */
  readonly trendSeconds: number;
}

/** Summaries of all models that had traffic in the trend window which ends with the newest bucket. */
export function summariseModels(buckets: readonly SecondBucket[], window: SummaryWindow): ModelSummary[] {
  const newest = buckets.at(-1);
  if (newest === undefined) return [];
  const trendStart = newest.t - window.trendSeconds + 1;
  const inTrend = buckets.filter((bucket) => bucket.t >= trendStart);
  const covered = inTrend.filter((bucket) => bucket.t > newest.t - window.seconds);
  const names = new Set(inTrend.flatMap((bucket) => bucket.series.map((one) => one.model)));
  return [...names].sort().flatMap((model) => {
    const figures = windowFigures(covered, { model });
    if (figures === null) return [];
    const trend: (number | null)[] = Array.from({ length: window.trendSeconds }, () => null);
    for (const bucket of inTrend) {
      const series = seriesIn(bucket, { model });
      trend[bucket.t - trendStart] = series.reduce((sum, one) => sum + one.success + one.failure, 0);
    }
    return [{ model, ...figures, trend }];
  });
}
