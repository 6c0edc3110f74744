import { sortedVersions } from "@nereid/inference-worker";
import { PrometheusWriter, renderCpuMetrics, renderGpuMetrics, renderModelMetrics } from "@nereid/telemetry";
import type { ServerContext } from "../server-context.ts";
import type { MetricsReadings } from "./metrics-readings.ts";
import { modelSources } from "./model-sources.ts";
import { renderScheduling } from "./render-scheduling.ts";

/** Prometheus text of all served model versions, the devices and the server itself. */
export function renderMetrics(context: ServerContext, readings: MetricsReadings): string {
  const writer = new PrometheusWriter();
  const { counterLatencies, summaryQuantiles } = context.options.metricsConfig;
  const { windows } = readings;
  const quantiles = summaryQuantiles.map(({ quantile }) => quantile);
  renderModelMetrics(writer, modelSources(context), {
    counterLatencies,
    ...(windows !== undefined && { summaries: { quantiles, windows } }),
  });
  renderPinnedPool(writer, context);
  if (readings.cpu !== undefined) renderCpuMetrics(writer, readings.cpu);
  renderGpuMetrics(writer, readings.gpus);
  renderRunners(writer, context);
  renderScheduling(writer, context);
  context.traffic.render(writer);
  renderServer(writer, context);
  readings.loop.render(writer);
  // Last: the names of the server's own families come first.
  context.customMetrics.render(writer);
  return writer.text();
}

/** Nothing is allocated from a pinned pool here; the total is what the option says, so that boards show their line. */
function renderPinnedPool(writer: PrometheusWriter, { options }: ServerContext): void {
  writer
    .family("nv_pinned_memory_pool_total_bytes", "gauge", "Size of the pinned memory pool as configured, in bytes")
    .sample({}, options.metricsConfig.pinnedPoolBytes);
  writer
    .family(
      "nv_pinned_memory_pool_used_bytes",
      "gauge",
      "Bytes of the pinned memory pool in use; this server uses none",
    )
    .sample({}, 0);
}

function renderRunners(writer: PrometheusWriter, { manager }: ServerContext): void {
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
  const ready = writer.family("nereid_model_ready", "gauge", "1 when the model version answers requests, 0 when not");
  for (const entry of manager.entries) {
    for (const { state, served } of sortedVersions(entry)) {
      if (served === undefined) continue;
      const labels = { model: entry.name, version: served.spec.version };
      memory.sample(labels, served.measureMemory().currentBytes ?? 0);
      restarts.sample(labels, served.restarts);
      ready.sample(labels, state === "READY" && served.ready ? 1 : 0);
    }
  }
}

function renderServer(writer: PrometheusWriter, { bodies, tracer, startedAtMs }: ServerContext): void {
  const one = (name: string, type: "gauge" | "counter", help: string) => (value: number) =>
    writer.family(name, type, help).sample({}, value);
  one("nereid_request_body_bytes", "gauge", "Memory that request bodies take now, in bytes")(bodies.used);
  one(
    "nereid_request_body_limit_bytes",
    "gauge",
    "Memory that request bodies may take together, in bytes",
  )(bodies.limit);
  one("nereid_traces_total", "counter", "Requests that were traced")(tracer.counts.begun);
  one(
    "nereid_traces_dropped_total",
    "counter",
    "Traces that were lost because they could not be written in time",
  )(tracer.counts.dropped);
  one("nereid_server_memory_bytes", "gauge", "Resident memory of the server process")(process.memoryUsage.rss());
  const { user, system } = process.cpuUsage();
  one(
    "process_cpu_seconds_total",
    "counter",
    "Processor time of the server process, in seconds",
  )((user + system) / 1e6);
  one("process_start_time_seconds", "gauge", "When the server started, Unix time in seconds")(startedAtMs / 1000);
}
