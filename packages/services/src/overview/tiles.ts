import type { SecondBucket, SeriesBucket } from "@nereid/client";
import { type MergedSeries, mergeSeries } from "../metrics/merge-series.ts";
import { quantileMs } from "../metrics/quantile-ms.ts";

export interface Tile {
  /** Over the window; null without requests. */
  readonly now: number | null;
  /** Over the window of the same length before it; null where nothing is remembered of it. */
  readonly previous: number | null;
  /** The window in equal parts, oldest first; null where there is no figure. */
  readonly spark: readonly (number | null)[];
}

export interface Tiles {
  readonly requestsPerSecond: Tile;
  /** Share of 0…1. */
  readonly errorShare: Tile;
  /** Milliseconds. */
  readonly p50Ms: Tile;
  readonly p99Ms: Tile;
  /** Mean time in the queue, milliseconds. */
  readonly queueMs: Tile;
}

export interface Window {
  /** Unix seconds: from `from`, which belongs to it, to `to`, which does not. */
  readonly from: number;
  readonly to: number;
}

const NS_PER_MS = 1e6;

/** The figures of all models together over a window, the one before it, and in `points` parts. */
export function tilesOf(buckets: readonly SecondBucket[], { from, to }: Window, points: number): Tiles {
  const length = to - from;
  const part = (start: number, end: number) => summarise(buckets.filter(({ t }) => t >= start && t < end));
  const now = part(from, to);
  const previous = part(from - length, from);
  const step = length / points;
  const parts = Array.from({ length: points }, (_, i) => part(from + i * step, from + (i + 1) * step));
  const tile = (figure: (summary: Summary) => number | null): Tile => ({
    now: figure(now),
    previous: figure(previous),
    spark: parts.map(figure),
  });
  return {
    requestsPerSecond: tile(({ merged, seconds }) =>
      seconds === 0 ? null : (merged.success + merged.failure) / seconds,
    ),
    errorShare: tile(({ merged }) => errorShareOf(merged)),
    p50Ms: tile(({ merged }) => quantileMs(merged.latency, 0.5)),
    p99Ms: tile(({ merged }) => quantileMs(merged.latency, 0.99)),
    queueMs: tile(({ merged }) => (merged.success === 0 ? null : merged.sumNs.queue / merged.success / NS_PER_MS)),
  };
}

interface Summary {
  readonly merged: MergedSeries;
  readonly seconds: number;
}

function summarise(buckets: readonly SecondBucket[]): Summary {
  const series: SeriesBucket[] = buckets.flatMap((bucket) => bucket.series);
  return { merged: mergeSeries(series), seconds: buckets.length };
}

function errorShareOf({ success, failure }: MergedSeries): number | null {
  return success + failure === 0 ? null : failure / (success + failure);
}
