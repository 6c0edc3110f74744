import type { Scope } from "./scope.ts";

/** Custom metric controls. */
export function checkMetrics({ config, report }: Scope): void {
  for (const [index, control] of (config.modelMetrics?.metricControl ?? []).entries()) {
    const path = `model_metrics.metric_control[${index}]`;
    const add = (at: string, message: string) => report.add({ code: "model-metrics", path: at, message });
    if (control.metricIdentifier === undefined) add(path, "metric control must specify 'metric_identifier'");
    else if (control.metricIdentifier.family === "") {
      add(`${path}.metric_identifier`, "metric identifier must specify non-empty 'family'");
    }
    if (control.metricOptions.case !== "histogramOptions") {
      add(path, "metric control must specify 'histogram_options'");
    } else if (control.metricOptions.value.buckets.length === 0) {
      add(`${path}.histogram_options`, "histogram options must specify non-empty 'buckets'");
    }
  }
}
