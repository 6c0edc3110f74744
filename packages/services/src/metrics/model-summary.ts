import type { SecondBucket, SeriesBucket } from "@nereid/client";
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
  return [...byModel(inTrend)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([model, own]) => {
      const figures = windowFigures(
        own.filter((bucket) => bucket.t > newest.t - window.seconds),
        { model },
      );
      if (figures === null) return [];
      const trend: (number | null)[] = Array.from({ length: window.trendSeconds }, () => null);
      for (const { t, series } of own) {
        trend[t - trendStart] = series.reduce((sum, one) => sum + one.success + one.failure, 0);
      }
      return [{ model, ...figures, trend }];
    });
}

/** The same buckets for each model, with its own series only: to look for each model in all series would take their square. */
function byModel(buckets: readonly SecondBucket[]): Map<string, SecondBucket[]> {
  const models = new Map<string, SecondBucket[]>();
  for (const [place, { t, series }] of buckets.entries()) {
    const seconds = new Map<string, SeriesBucket[]>();
    for (const one of series) {
      const known = seconds.get(one.model);
      if (known === undefined) seconds.set(one.model, [one]);
      else known.push(one);
      if (!models.has(one.model)) {
        models.set(
          one.model,
          buckets.slice(0, place).map((before) => ({ t: before.t, series: [] })),
        );
      }
    }
    for (const [model, own] of models) own.push({ t, series: seconds.get(model) ?? [] });
  }
  return models;
}
