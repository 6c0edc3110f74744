import type { SecondBucket } from "@nereid/client";
import { type HeatBins, heatBinsOf } from "../history/heat-bins.ts";
import { type MergedSeries, mergeSeries } from "./merge-series.ts";
import { perBucket } from "./per-bucket.ts";
import { quantileMs } from "./quantile-ms.ts";
import { type SeriesFilter, seriesIn } from "./series-filter.ts";

/** One second of one model (or one of its versions). Durations are milliseconds, null when no request ended. */
export interface LatencyRow {
  /** Unix second at which the bucket starts. */
  readonly t: number;
  readonly queue: number | null;
  readonly input: number | null;
  readonly infer: number | null;
  readonly output: number | null;
  readonly p50: number | null;
  readonly p95: number | null;
  readonly p99: number | null;
  /** Requests that succeeded. */
  readonly count: number;
  readonly failed: number;
  readonly pending: number;
  readonly inferences: number;
  readonly executions: number;
  /** Requests by latency, for the heat map. */
  readonly heat: HeatBins;
}

const NS_PER_MS = 1e6;
const ROWS = perBucket<LatencyRow>((row) => row.count > 0 || row.failed > 0);

/** As toLatencyRow, worked out once for all viewers. */
export function latencyRowOf(bucket: SecondBucket, filter: SeriesFilter): LatencyRow {
  return ROWS.of(bucket, filter, () => toLatencyRow(bucket, filter));
}

/** The chart row of one second. A bucket without the series means no traffic, not missing data. */
export function toLatencyRow(bucket: SecondBucket, filter: SeriesFilter): LatencyRow {
  const series = seriesIn(bucket, filter);
  return {
    t: bucket.t,
    ...latencyFigures(mergeSeries(series)),
    pending: series.reduce((sum, one) => sum + one.pending, 0),
  };
}

/** Means, percentiles and counts of any number of seconds that were added up. */
export function latencyFigures(merged: MergedSeries): Omit<LatencyRow, "t" | "pending"> {
  const mean = (sumNs: number) => (merged.success === 0 ? null : sumNs / merged.success / NS_PER_MS);
  return {
    queue: mean(merged.sumNs.queue),
    input: mean(merged.sumNs.computeInput),
    infer: mean(merged.sumNs.computeInfer),
    output: mean(merged.sumNs.computeOutput),
    p50: quantileMs(merged.latency, 0.5),
    p95: quantileMs(merged.latency, 0.95),
    p99: quantileMs(merged.latency, 0.99),
    count: merged.success,
    failed: merged.failure,
    inferences: merged.inferences,
    executions: merged.executions,
    heat: heatBinsOf(merged.latency),
  };
}
