import type { ReportSettings } from "./level-result.ts";

/** The settings of a measurement, in perf_analyzer's words. Pure. */
export function reportHead(settings: ReportSettings): string[] {
  const { batch, serviceKind, measurement, percentile, latencyLimitMs, mode, lastLevel } = settings;
  const lines = ["*** Measurement Settings ***"];
  if (serviceKind === "triton") lines.push(`  Batch size: ${batch}`);
  lines.push(`  Service Kind: ${serviceKind.toUpperCase()}`);
  if (measurement.kind === "fixed") lines.push(`  Sending a total of ${measurement.requests} requests`);
  else {
    lines.push(`  Using "${measurement.kind}" mode for stabilization`);
    lines.push(`  Stabilizing using ${percentile === undefined ? "average" : `p${percentile}`} latency and throughput`);
  }
  if (measurement.kind === "time_windows") lines.push(`  Measurement window: ${measurement.intervalMs} msec`);
  if (measurement.kind === "count_windows")
    lines.push(`  Minimum number of samples in each window: ${measurement.requests}`);
  if (latencyLimitMs > 0) lines.push(`  Latency limit: ${latencyLimitMs} msec`);
  if (mode === "concurrency" && lastLevel > 1) lines.push(`  Concurrency limit: ${lastLevel} concurrent requests`);
  if (mode === "request_rate" && lastLevel > 0) lines.push(`  Request Rate limit: ${lastLevel} requests per seconds`);
  if (mode === "request_rate") lines.push(`  Using ${DISTRIBUTIONS[settings.distribution]} on request generation`);
  if (mode === "custom") lines.push("  Using request intervals or recorded arrivals");
  lines.push(`  Using ${settings.asynchronous ? "asynchronous" : "synchronous"} calls for inference`);
  if (settings.decoupled) lines.push("  Detected decoupled model, using the last response for measuring latency");
  return lines;
}

const DISTRIBUTIONS = {
  constant: "uniform distribution",
  poisson: "poisson distribution",
  bursts: "bursts",
} as const;

/** What a level is called above its figures. Pure. */
export function levelTitle(mode: ReportSettings["mode"], level: number): string {
  if (mode === "concurrency") return `Request concurrency: ${level}`;
  return `Request Rate: ${Number(level.toFixed(2))} inference requests per seconds`;
}

/** A level in the line of the summary. Pure. */
export function levelName(mode: ReportSettings["mode"], level: number): string {
  return mode === "concurrency" ? `Concurrency: ${level}` : `Request Rate: ${Number(level.toFixed(2))}`;
}
