import type {
  TuningConstraint,
  TuningFigures,
  TuningMeasurement,
  TuningMetric,
  TuningObjective,
} from "./tuning-types.ts";

/** Metrics of which less is better. */
const LESS_IS_BETTER: ReadonlySet<TuningMetric> = new Set([
  "perf_latency_avg",
  "perf_latency_p90",
  "perf_latency_p95",
  "perf_latency_p99",
  "gpu_used_memory",
  "gpu_utilization",
  "gpu_power_usage",
  "cpu_used_ram",
  "cpu_used_share",
]);

/** What a metric is of these figures, in the units of constraints; undefined = not known. Pure. */
export function metricOf(
  figures: TuningFigures & Partial<TuningMeasurement>,
  metric: TuningMetric,
): number | undefined {
  const { gpus = [], memoryMb, cpuShare } = figures;
  switch (metric) {
    case "perf_throughput":
      return figures.throughput;
    case "goodput":
      return figures.goodput;
    case "perf_latency_avg":
      return figures.averageUs / 1000;
    case "perf_latency_p90":
      return figures.p90Us / 1000;
    case "perf_latency_p95":
      return figures.p95Us / 1000;
    case "perf_latency_p99":
      return figures.p99Us / 1000;
    case "gpu_used_memory":
      return gpus.length === 0 ? undefined : Math.max(...gpus.map(({ usedMb }) => usedMb));
    case "gpu_utilization":
      return gpus.length === 0 ? undefined : mean(gpus.map(({ utilization }) => utilization));
    case "gpu_power_usage":
      return gpus.length === 0 ? undefined : gpus.reduce((sum, { powerWatts }) => sum + powerWatts, 0);
    case "cpu_used_ram":
      return memoryMb ?? undefined;
    case "cpu_used_share":
      return cpuShare ?? undefined;
  }
}

/** By how many percent limits are missed, added up; 0 = all are kept. What is not known misses nothing. Pure. */
export function missedPercent(figures: TuningFigures, constraints: readonly TuningConstraint[]): number {
  let missed = 0;
  for (const { metric, min, max } of constraints) {
    const value = metricOf(figures, metric);
    if (value === undefined) continue;
    if (min !== null && value < min) missed += ((min - value) / Math.max(min, 1e-9)) * 100;
    if (max !== null && value > max) missed += ((value - max) / Math.max(max, 1e-9)) * 100;
  }
  return missed;
}

export interface Wanted {
  readonly objectives: readonly TuningObjective[];
  readonly constraints: readonly TuningConstraint[];
}

/**
 * Above 0 when `a` is better than `b`. Model Analyzer's rule: what keeps all limits comes before what does not; of those that do not, the
 * one that misses less; else the weighted sum of (a - b) / mean(a, b) over the objectives, turned where less is better. Pure.
 */
export function compareFigures(a: TuningFigures, b: TuningFigures, { objectives, constraints }: Wanted): number {
  const [missedA, missedB] = [missedPercent(a, constraints), missedPercent(b, constraints)];
  if (missedA > 0 || missedB > 0) return missedB - missedA;
  return objectives.reduce((sum, { metric, weight }) => {
    const [of, other] = [metricOf(a, metric), metricOf(b, metric)];
    if (of === undefined || other === undefined || of + other === 0) return sum;
    const gain = (of - other) / ((of + other) / 2);
    return sum + weight * (LESS_IS_BETTER.has(metric) ? -gain : gain);
  }, 0);
}

/** Below everything that keeps its limits. */
const MISSED = -100;

/**
 * One number that orders figures as `compareFigures` does wherever differences are small: weighted logarithms of the objectives, so that
 * a difference of 0.1 is one of a tenth. Pure.
 */
export function utilityOf(figures: TuningFigures, { objectives, constraints }: Wanted): number {
  const missed = missedPercent(figures, constraints);
  if (missed > 0) return MISSED - Math.log1p(missed / 100);
  const weights = objectives.reduce((sum, { weight }) => sum + weight, 0);
  return objectives.reduce((sum, { metric, weight }) => {
    const value = metricOf(figures, metric);
    if (value === undefined) return sum;
    const log = Math.log(Math.max(value, 1e-9));
    return sum + (weight / weights) * (LESS_IS_BETTER.has(metric) ? -log : log);
  }, 0);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, one) => sum + one, 0) / values.length;
}
