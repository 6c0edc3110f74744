export { BoundHistogram } from "./bound-histogram.ts";
export { CacheStatistics } from "./cache-statistics.ts";
export { type CpuSample, CpuSensor, renderCpuMetrics, type TextFileReader } from "./cpu-sensor.ts";
export { type CustomMetricCall, CustomMetrics } from "./custom-metrics.ts";
export { type GpuSample, renderGpuMetrics } from "./gpu-sensor.ts";
export { BUCKET_COUNT, type BucketBounds, bucketBoundsNs, bucketIndex, OVERFLOW_INDEX } from "./latency-buckets.ts";
export { type HistogramSnapshot, LatencyHistogram } from "./latency-histogram.ts";
export { writeLatencyHistogram } from "./latency-metrics.ts";
export { LatencyWindow, WINDOW_STEP_MS } from "./latency-window.ts";
export { type ModelMetricsOptions, type ModelMetricsSource, renderModelMetrics } from "./model-metrics.ts";
export { ModelStatistics, type ModelStatisticsOptions } from "./model-statistics.ts";
export {
  type ExecutionObservation,
  FAILURE_REASONS,
  type FailureObservation,
  type FailureReason,
  PHASES,
  type Phase,
  type SuccessObservation,
} from "./phase-durations.ts";
export { PhaseSeries } from "./phase-series.ts";
export { type FamilyWriter, type Labels, type MetricType, PrometheusWriter } from "./prometheus-writer.ts";
export type { ResponseObservation } from "./response-statistics.ts";
export type { GpuReading, NodeReading, SecondBucket, SeriesBucket } from "./second-bucket.ts";
export { type BucketListener, SecondBuckets } from "./second-buckets.ts";
export { type InstanceSecond, type SeriesIdentity, SeriesRecorder } from "./series-recorder.ts";
export { mergeSparse, quantileFromSparse, type SparseHistogram } from "./sparse-histogram.ts";
export type { MemoryUsage, ModelStatisticsJson, StatisticDuration } from "./statistics-json.ts";
export { SummaryWindows } from "./summary-windows.ts";
