import type { SecondBucket } from "@nereid/client";
import { mergeSeries } from "./merge-series.ts";
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
  const merged = mergeSeries(series);
  const mean = (sumNs: number) => (merged.success === 0 ? null : sumNs / merged.success / NS_PER_MS);
  return {
    t: bucket.t,
    queue: mean(merged.sumNs.queue),
    input: mean(merged.sumNs.computeInput),
    infer: mean(merged.sumNs.computeInfer),
    output: mean(merged.sumNs.computeOutput),
    p50: quantileMs(merged.latency, 0.5),
    p95: quantileMs(merged.latency, 0.95),
    p99: quantileMs(merged.latency, 0.99),
    count: merged.success,
    failed: merged.failure,
    pending: series.reduce((sum, one) => sum + one.pending, 0),
    inferences: merged.inferences,
    executions: merged.executions,
  };
}
