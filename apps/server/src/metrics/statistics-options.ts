import type { ModelConfig } from "@nereid/model-config";
import type { ModelStatisticsOptions } from "@nereid/telemetry";
import type { MetricsConfig } from "../options/metrics-config.ts";

const FIRST_RESPONSE = "nv_inference_first_response_histogram_ms";
const DEFAULT_BOUNDS_MS = [100, 500, 2000, 5000];

/**
 * What is counted for a model besides what is always counted; `model_metrics` of its configuration may set the bounds. `cache`: the
 * server has a response cache.
 */
export function statisticsOptions(
  { histogramLatencies }: MetricsConfig,
  config: ModelConfig,
  cache = false,
): Pick<ModelStatisticsOptions, "firstResponseBoundsMs" | "cached"> {
  const cached = cache && config.responseCache?.enable === true ? { cached: true } : {};
  if (!histogramLatencies) return cached;
  const control = config.modelMetrics?.metricControl.find(
    ({ metricIdentifier }) => metricIdentifier?.family === FIRST_RESPONSE,
  );
  const own = control?.metricOptions.case === "histogramOptions" ? control.metricOptions.value.buckets : [];
  return { ...cached, firstResponseBoundsMs: own.length > 0 ? own : DEFAULT_BOUNDS_MS };
}
