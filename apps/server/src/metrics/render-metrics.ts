import { sortedVersions } from "@nereid/inference-worker";
import {
  type CpuSample,
  type ModelMetricsSource,
  PrometheusWriter,
  renderCpuMetrics,
  renderModelMetrics,
} from "@nereid/telemetry";
import type { ServerContext } from "../server-context.ts";

/** Prometheus text of all served model versions and of the processor. */
export function renderMetrics(context: ServerContext, cpu: CpuSample | undefined): string {
  const writer = new PrometheusWriter();
  const sources = context.manager.entries.flatMap((entry) =>
    sortedVersions(entry).flatMap(({ state, served, config }): ModelMetricsSource[] =>
      state === "READY" && served !== undefined
        ? [
            {
              name: entry.name,
              version: served.spec.version,
              statistics: served.statistics,
              tags: config?.metricTags ?? {},
            },
          ]
        : [],
    ),
  );
  renderModelMetrics(writer, sources);
  const memory = writer.family(
    "nereid_runner_memory_bytes",
    "gauge",
    "Resident memory of the process that runs a model version",
  );
  const restarts = writer.family(
    "nereid_runner_restarts",
    "counter",
    "Times the process of a model version was started again",
  );
  for (const entry of context.manager.entries) {
    for (const { served } of sortedVersions(entry)) {
      if (served === undefined) continue;
      const labels = { model: entry.name, version: served.spec.version };
      memory.sample(labels, served.measureMemory().currentBytes ?? 0);
      restarts.sample(labels, served.restarts);
    }
  }
  writer
    .family("nereid_server_memory_bytes", "gauge", "Resident memory of the server process")
    .sample({}, process.memoryUsage.rss());
  if (cpu !== undefined) renderCpuMetrics(writer, cpu);
  return writer.text();
}
