import { writeLatencyHistogram } from "./latency-metrics.ts";
import type { ModelStatistics } from "./model-statistics.ts";
import { FAILURE_REASONS, PHASES } from "./phase-durations.ts";
import { PHASE_NAMES } from "./phase-names.ts";
import type { PhaseSeries } from "./phase-series.ts";
import type { Labels, PrometheusWriter } from "./prometheus-writer.ts";
import type { SummaryWindows } from "./summary-windows.ts";

export interface ModelMetricsSource {
  readonly name: string;
  readonly version: string;
  readonly statistics: ModelStatistics;
  /** Of the model, where names are only unique inside one. */
  readonly namespace?: string;
  /** `metric_tags` of the model configuration; each becomes a label `_<key>`. */
  readonly tags?: Readonly<Record<string, string>>;
}

export interface ModelMetricsOptions {
  /** False: no latency counters, and the counters of requests and executions stay 0, as in Triton. Default true. */
  readonly counterLatencies?: boolean;
  /** Summaries are written where this is given. */
  readonly summaries?: { readonly quantiles: readonly number[]; readonly windows: SummaryWindows };
}

interface Source {
  readonly labels: Labels;
  readonly statistics: ModelStatistics;
  /** The counters of this version with their labels: without a GPU, and for each GPU. */
  readonly placed: readonly { readonly labels: Labels; readonly series: PhaseSeries }[];
}

const NS_PER_US = 1e3;

/**
 * Writes Triton's model families (metrics.md §2) and one histogram per phase,
 * `nereid_inference_<phase>_duration_seconds`. A bound of the latter may count durations up to 3.2 % above it: the counts
 * come from the log-linear histogram.
 */
export function renderModelMetrics(
  writer: PrometheusWriter,
  models: readonly ModelMetricsSource[],
  options: ModelMetricsOptions = {},
): void {
  const sources = models.map(toSource);
  writeCounters(writer, sources, options.counterLatencies ?? true);
  writeGauges(writer, sources);
  writeCache(writer, sources);
  writeFirstResponse(writer, sources);
  if (options.summaries !== undefined) writeSummaries(writer, sources, options.summaries);
  writePhaseHistograms(writer, sources);
}

function toSource(model: ModelMetricsSource): Source {
  const { statistics } = model;
  const labels: Record<string, string> = { model: model.name, version: model.version };
  if (model.namespace !== undefined) labels["namespace"] = model.namespace;
  for (const [key, value] of Object.entries(model.tags ?? {})) labels[`_${key}`] = value;
  const onGpus = [...statistics.byGpu].map(([uuid, series]) => ({ labels: { ...labels, gpu_uuid: uuid }, series }));
  return { labels, statistics, placed: [{ labels, series: statistics.own }, ...onGpus] };
}

function writeCounters(writer: PrometheusWriter, sources: readonly Source[], latencies: boolean): void {
  const counter = (name: string, help: string, value: (series: PhaseSeries) => number): void => {
    const family = writer.family(name, "counter", help);
    for (const { placed } of sources) {
      for (const { labels, series } of placed) family.sample(labels, value(series));
    }
  };
  const counted = (value: (series: PhaseSeries) => number) => (latencies ? value : () => 0);
  counter(
    "nv_inference_request_success",
    "Requests that ended well, whatever their batch size",
    counted((series) => series.success),
  );
  const failures = writer.family("nv_inference_request_failure", "counter", "Requests that failed, by reason");
  for (const { placed } of sources) {
    for (const { labels, series } of placed) {
      for (const reason of FAILURE_REASONS)
        failures.sample({ ...labels, reason }, latencies ? series.failures[reason] : 0);
    }
  }
  counter(
    "nv_inference_count",
    "Inferences done: the sum of the batch sizes",
    counted(({ inferences }) => inferences),
  );
  counter(
    "nv_inference_exec_count",
    "Executions of the model, one per batch",
    counted(({ executions }) => executions),
  );
  if (!latencies) return;
  for (const phase of PHASES) {
    const { snake, text } = PHASE_NAMES[phase];
    counter(
      `nv_inference_${snake}_duration_us`,
      `Time spent on ${text}, in microseconds`,
      ({ microseconds }) => microseconds[phase],
    );
  }
}

function writeGauges(writer: PrometheusWriter, sources: readonly Source[]): void {
  const pending = writer.family("nv_inference_pending_request_count", "gauge", "Requests that wait for execution");
  const load = writer.family("nv_model_load_duration_secs", "gauge", "Time the last load took, in seconds");
  for (const { labels, statistics } of sources) {
    pending.sample(labels, statistics.pending);
    if (statistics.loadSeconds !== undefined) load.sample(labels, statistics.loadSeconds);
  }
}

function writeCache(writer: PrometheusWriter, sources: readonly Source[]): void {
  const hits = writer.family("nv_cache_num_hits_per_model", "counter", "Requests answered from the response cache");
  const misses = writer.family("nv_cache_num_misses_per_model", "counter", "Requests the response cache did not have");
  const hitUs = writer.family("nv_cache_hit_duration_per_model", "counter", "Look-up time of hits, in microseconds");
  const missUs = writer.family(
    "nv_cache_miss_duration_per_model",
    "counter",
    "Look-up and insertion time of misses, in microseconds",
  );
  for (const { labels, statistics } of sources) {
    const { cache } = statistics;
    if (cache === undefined) continue;
    hits.sample(labels, cache.hits);
    misses.sample(labels, cache.misses);
    hitUs.sample(labels, cache.hitUs);
    missUs.sample(labels, cache.missUs);
  }
}

function writeFirstResponse(writer: PrometheusWriter, sources: readonly Source[]): void {
  const family = writer.family(
    "nv_inference_first_response_histogram_ms",
    "histogram",
    "Time from a request to its first response, in milliseconds",
  );
  for (const { labels, statistics } of sources) {
    const histogram = statistics.firstResponseMs;
    if (histogram === undefined) continue;
    const counts = histogram.cumulative();
    const total = counts.at(-1) ?? 0;
    histogram.bounds.forEach((bound, at) => {
      family.part(labels, ["le", String(bound)], counts[at] ?? 0);
    });
    family.part(labels, ["le", "+Inf"], total);
    family.sample(labels, histogram.sum, "_sum");
    family.sample(labels, total, "_count");
  }
}

function writeSummaries(
  writer: PrometheusWriter,
  sources: readonly Source[],
  { quantiles, windows }: NonNullable<ModelMetricsOptions["summaries"]>,
): void {
  for (const phase of PHASES) {
    const { snake, text } = PHASE_NAMES[phase];
    const name = `nv_inference_${snake}_summary_us`;
    const family = writer.family(name, "summary", `Time spent on ${text} in the last minute, in microseconds`);
    for (const { statistics, placed } of sources) {
      if (phase === "request" && statistics.cache !== undefined) continue;
      for (const { labels, series } of placed) {
        const values = windows.of(series)[phase].quantiles(quantiles);
        quantiles.forEach((q, at) => {
          family.part(labels, ["quantile", String(q)], (values[at] ?? Number.NaN) / NS_PER_US);
        });
        family.sample(labels, series.microseconds[phase], "_sum");
        family.sample(labels, series.histograms[phase].count, "_count");
      }
    }
  }
}

function writePhaseHistograms(writer: PrometheusWriter, sources: readonly Source[]): void {
  for (const phase of PHASES) {
    const { snake, text } = PHASE_NAMES[phase];
    const name = `nereid_inference_${snake}_duration_seconds`;
    const family = writer.family(name, "histogram", `Time spent on ${text} per request, in seconds`);
    for (const { labels, statistics } of sources) writeLatencyHistogram(family, labels, statistics.histogram(phase));
  }
}
