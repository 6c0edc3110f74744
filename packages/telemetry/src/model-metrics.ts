import { bucketIndex } from "./latency-buckets.ts";
import type { LatencyHistogram } from "./latency-histogram.ts";
import type { ModelStatistics } from "./model-statistics.ts";
import { FAILURE_REASONS, PHASES, type Phase } from "./phase-durations.ts";
import type { FamilyWriter, Labels, PrometheusWriter } from "./prometheus-writer.ts";

export interface ModelMetricsSource {
  readonly name: string;
  readonly version: string;
  readonly statistics: ModelStatistics;
  /** `metric_tags` of the model configuration; each becomes a label `_<key>`. */
  readonly tags?: Readonly<Record<string, string>>;
}

const NS_PER_SECOND = 1e9;

const BOUNDS_SECONDS = [
  0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
] as const;

const BOUND_INDICES = BOUNDS_SECONDS.map((seconds) => bucketIndex(seconds * NS_PER_SECOND));

const PHASE_NAMES: Readonly<Record<Phase, { readonly snake: string; readonly text: string }>> = {
  request: { snake: "request", text: "whole requests" },
  queue: { snake: "queue", text: "waiting in the queue" },
  computeInput: { snake: "compute_input", text: "preparing inputs" },
  computeInfer: { snake: "compute_infer", text: "running the model" },
  computeOutput: { snake: "compute_output", text: "collecting outputs" },
};

/**
 * Writes Triton's model families (metrics.md §2) and one histogram per phase,
 * `nereid_inference_<phase>_duration_seconds`. A histogram bound may count durations up to 3.2 % above it: the counts
 * come from the log-linear histogram.
 */
export function renderModelMetrics(writer: PrometheusWriter, models: readonly ModelMetricsSource[]): void {
  const sources = models.map((model) => ({ labels: labelsOf(model), statistics: model.statistics }));
  const counter = (name: string, help: string, value: (statistics: ModelStatistics) => number): void => {
    const family = writer.family(name, "counter", help);
    for (const { labels, statistics } of sources) family.sample(labels, value(statistics));
  };
  counter("nv_inference_request_success", "Requests that ended well, whatever their batch size", (s) => s.success);
  const failures = writer.family("nv_inference_request_failure", "counter", "Requests that failed, by reason");
  for (const { labels, statistics } of sources) {
    for (const reason of FAILURE_REASONS) failures.sample({ ...labels, reason }, statistics.failures(reason));
  }
  counter("nv_inference_count", "Inferences done: the sum of the batch sizes", (s) => s.inferences);
  counter("nv_inference_exec_count", "Executions of the model, one per batch", (s) => s.executions);
  for (const phase of PHASES) {
    const { snake, text } = PHASE_NAMES[phase];
    counter(`nv_inference_${snake}_duration_us`, `Time spent on ${text}, in microseconds`, (s) => s.durationUs(phase));
  }
  const pending = writer.family("nv_inference_pending_request_count", "gauge", "Requests that wait for execution");
  const load = writer.family("nv_model_load_duration_secs", "gauge", "Time the last load took, in seconds");
  for (const { labels, statistics } of sources) {
    pending.sample(labels, statistics.pending);
    if (statistics.loadSeconds !== undefined) load.sample(labels, statistics.loadSeconds);
  }
  for (const phase of PHASES) {
    const { snake, text } = PHASE_NAMES[phase];
    const name = `nereid_inference_${snake}_duration_seconds`;
    const family = writer.family(name, "histogram", `Time spent on ${text} per request, in seconds`);
    for (const { labels, statistics } of sources) writeHistogram(family, labels, statistics.histogram(phase));
  }
}

function labelsOf(model: ModelMetricsSource): Labels {
  const labels: Record<string, string> = { model: model.name, version: model.version };
  for (const [key, value] of Object.entries(model.tags ?? {})) labels[`_${key}`] = value;
  return labels;
}

function writeHistogram(family: FamilyWriter, labels: Labels, histogram: LatencyHistogram): void {
  BOUNDS_SECONDS.forEach((bound, at) => {
    family.sample({ ...labels, le: String(bound) }, histogram.cumulativeCount(BOUND_INDICES[at] ?? 0), "_bucket");
  });
  family.sample({ ...labels, le: "+Inf" }, histogram.count, "_bucket");
  family.sample(labels, histogram.sum / NS_PER_SECOND, "_sum");
  family.sample(labels, histogram.count, "_count");
}
