import { readFileSync } from "node:fs";
import { type CpuSample, CpuSensor, type GpuSample, SummaryWindows, WINDOW_STEP_MS } from "@nereid/telemetry";
import type { ServerContext } from "../server-context.ts";
import { EventLoopSensor } from "./event-loop-sensor.ts";
import { modelSources } from "./model-sources.ts";
import { GpuSensor } from "./nvml.ts";

/** What the metrics page shows of things that are read now and then, and not when somebody asks. */
export interface MetricsReadings {
  readonly loop: EventLoopSensor;
  /** Only with `summary_latencies`. */
  readonly windows: SummaryWindows | undefined;
  cpu: CpuSample | undefined;
  gpus: readonly GpuSample[];
}

/** Starts reading the gauges every `--metrics-interval-ms`. The first GPU values come with the first interval. */
export function readMetrics(context: ServerContext): { readonly readings: MetricsReadings; close(): void } {
  const { options } = context;
  const cpu = options.allowCpuMetrics ? new CpuSensor((path) => readFileSync(path, "utf8")) : undefined;
  const windows = options.metricsConfig.summaryLatencies ? new SummaryWindows() : undefined;
  const readings: MetricsReadings = { loop: new EventLoopSensor(), windows, cpu: cpu?.sample(), gpus: [] };
  const timers = [
    setInterval(() => {
      readings.loop.sample();
      readings.cpu = cpu?.sample();
    }, options.metricsIntervalMs),
  ];
  if (windows !== undefined) {
    const step = () => windows.step(modelSources(context).flatMap(({ statistics }) => statistics.allSeries));
    timers.push(setInterval(step, WINDOW_STEP_MS));
  }
  const gpus = options.allowGpuMetrics && context.plan.gpus.gpus.length > 0;
  const stopGpus = gpus ? readGpus(readings, options.metricsIntervalMs) : undefined;
  return {
    readings,
    close: () => {
      for (const timer of timers) clearInterval(timer);
      stopGpus?.();
      readings.loop.close();
    },
  };
}

function readGpus(readings: MetricsReadings, intervalMs: number): () => void {
  let reading = false;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;
  void GpuSensor.open().then((sensor) => {
    if (sensor === undefined || closed) return;
    const read = async () => {
      // A driver that hangs must not pile up threads that wait for it.
      if (reading) return;
      reading = true;
      try {
        readings.gpus = await sensor.sample();
      } catch {
        readings.gpus = [];
      } finally {
        reading = false;
      }
    };
    void read();
    timer = setInterval(() => void read(), intervalMs);
  });
  return () => {
    closed = true;
    clearInterval(timer);
  };
}
