import { readFileSync } from "node:fs";
import { type CpuSample, CpuSensor, type GpuSample, SummaryWindows, WINDOW_STEP_MS } from "@nereid/telemetry";
import type { ServerContext } from "../server-context.ts";
import type { EventLoopSensor } from "./event-loop-sensor.ts";
import { modelSources } from "./model-sources.ts";

/** What the metrics page shows of things that are read now and then, and not when somebody asks. */
export interface MetricsReadings {
  readonly loop: EventLoopSensor;
  /** Only with `summary_latencies`. */
  readonly windows: SummaryWindows | undefined;
  cpu: CpuSample | undefined;
  readonly gpus: readonly GpuSample[];
}

/** Starts reading the gauges every `--metrics-interval-ms`. */
export function readMetrics(context: ServerContext): { readonly readings: MetricsReadings; close(): void } {
  const { options, node } = context;
  const cpu = options.allowCpuMetrics ? new CpuSensor((path) => readFileSync(path, "utf8")) : undefined;
  const windows = options.metricsConfig.summaryLatencies ? new SummaryWindows() : undefined;
  const readings: MetricsReadings = {
    loop: node.loop,
    windows,
    cpu: cpu?.sample(),
    get gpus() {
      return node.gpus;
    },
  };
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
  return {
    readings,
    close: () => {
      for (const timer of timers) clearInterval(timer);
    },
  };
}
