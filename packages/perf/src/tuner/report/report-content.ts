import { levelWords } from "../recommend.ts";
import type { TuningConstraint, TuningResult } from "../tuning-types.ts";
import type { Drawing } from "./drawing.ts";
import {
  importancePlot,
  latencyBreakdown,
  type MeasuredPoint,
  measuredPoints,
  scatterPlot,
  THROUGHPUT_LATENCY,
} from "./plots.ts";

/** A report before it is HTML or PDF. */
export interface Report {
  readonly title: string;
  readonly sentences: readonly string[];
  readonly plots: readonly Drawing[];
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Lines of a configuration before and after. */
  readonly diff: readonly string[];
}

/** What Model Analyzer's summary says of a model: its best configurations against the present one. Pure. */
export function summaryReport(result: TuningResult, top: number): Report {
  const { spec, present, recommended } = result;
  const points = measuredPoints(result);
  const best = bestOfEach(points);
  const shown = best.slice(0, top);
  const standard = best.find(({ config }) => config === present?.config);
  if (standard !== undefined && !shown.includes(standard)) shown.push(standard);
  const tried = new Set(points.map(({ config }) => config)).size;
  const gpus = points.some(({ measured }) => measured.gpus.length > 0);
  return {
    title: `Result summary: ${spec.model}`,
    sentences: [
      `GPU(s): ${[...new Set(points.flatMap(({ measured }) => measured.gpus.map(({ uuid }) => uuid)))].join(", ") || "none"}.`,
      `Constraint targets: ${spec.constraints.map(limitWords).join(", ") || "none"}${spec.goodWithinMs === null ? "" : `; an answer is good within ${spec.goodWithinMs} ms`}.`,
      headline(result, { measurements: points.length, tried }),
      ...(recommended?.why ?? []),
      ...(result.note === null ? [] : [result.note]),
    ],
    plots: [
      scatterPlot(points, THROUGHPUT_LATENCY),
      ...(gpus ? [gpuPlot(points)] : []),
      ...(result.importance.length > 0 ? [importancePlot(result)] : []),
    ],
    columns: [
      "Model Config Name",
      "Max Batch Size",
      "Dynamic Batching",
      "Total Instance Count",
      "p99 Latency (ms)",
      "Throughput (infer/sec)",
      "Goodput (infer/sec)",
      "Max CPU Memory Usage (MB)",
      ...(gpus ? ["Max GPU Memory Usage (MB)", "Average GPU Utilization (%)"] : []),
    ],
    rows: shown.map(({ config, setting, measured }) => [
      config,
      String(setting.maxBatchSize),
      setting.queueDelayUs === null ? "Disabled" : `Enabled, ${setting.queueDelayUs} us`,
      `${setting.instances}:${gpus ? "GPU" : "CPU"}`,
      (measured.p99Us / 1000).toFixed(3),
      measured.throughput.toFixed(1),
      measured.goodput.toFixed(1),
      measured.memoryMb?.toFixed(0) ?? "-",
      ...(gpus ? gpuCells(measured) : []),
    ]),
    diff: (recommended?.diff ?? []).map(({ kind, text }) => `${{ same: " ", removed: "-", added: "+" }[kind]} ${text}`),
  };
}

/** One configuration under every load that was measured, the highest p99 first. Pure. */
export function detailedReport(result: TuningResult, config: string): Report {
  const points = measuredPoints(result).filter((point) => point.config === config);
  const setting = points[0]?.setting;
  const load = result.spec.load.kind === "concurrency" ? "Request Concurrency" : "Request Rate";
  return {
    title: `Detailed report: ${config}`,
    sentences:
      setting === undefined
        ? ["Nothing was measured of it."]
        : [
            `${counted(setting.instances, "instance")}, batches of up to ${setting.maxBatchSize}, ${setting.queueDelayUs === null ? "no dynamic batching" : `a queue delay of ${setting.queueDelayUs} microseconds`}.`,
            `${counted(points.length, "measurement")} of ${result.spec.measureSeconds} s each.`,
          ],
    plots: [latencyBreakdown(points, config), scatterPlot(points, THROUGHPUT_LATENCY)],
    columns: [
      load,
      "p99 Latency (ms)",
      "Client Response Wait (ms)",
      "Server Queue (ms)",
      "Server Compute Input (ms)",
      "Server Compute Infer (ms)",
      "Throughput (infer/sec)",
      "CPU Memory (MB)",
    ],
    rows: points
      .toSorted((a, b) => b.measured.p99Us - a.measured.p99Us)
      .map(({ level, measured: { p99Us, phases, throughput, memoryMb } }) => [
        String(level),
        (p99Us / 1000).toFixed(3),
        ...(["client", "queue", "computeInput", "computeInfer"] as const).map((phase) =>
          phases === null ? "-" : (phases[phase] / 1000).toFixed(3),
        ),
        throughput.toFixed(1),
        memoryMb?.toFixed(0) ?? "-",
      ]),
    diff: [],
  };
}

/** The best measured point of each configuration, best first. */
export function bestOfEach(points: readonly MeasuredPoint[]): MeasuredPoint[] {
  const best = new Map<string, MeasuredPoint>();
  for (const point of points) if (!best.has(point.config)) best.set(point.config, point);
  return [...best.values()];
}

/** GPU memory against p99. */
export function gpuPlot(points: readonly MeasuredPoint[]): Drawing {
  return scatterPlot(points, {
    title: "GPU Memory vs. Latency",
    x: THROUGHPUT_LATENCY.x,
    y: {
      label: "GPU Memory (MB)",
      of: ({ measured: { gpus } }) => (gpus.length === 0 ? undefined : Math.max(...gpus.map(({ usedMb }) => usedMb))),
    },
  });
}

function headline(
  result: TuningResult,
  { measurements, tried }: { readonly measurements: number; readonly tried: number },
): string {
  const { spec, present, recommended } = result;
  const start = `In ${measurements} measurements across ${tried} configurations`;
  const best = result.points.find(({ id }) => id === recommended?.point);
  if (best?.measured == null) return `${start}, none keeps all limits.`;
  const where = `${best.config} at ${levelWords(spec, best.level)}`;
  if (present?.measured == null || present.config === best.config) return `${start}, ${where} is best.`;
  const gain = (best.measured.goodput / Math.max(1e-9, present.measured.goodput) - 1) * 100;
  return `${start}, ${where} is ${gain.toFixed(0)}% better than the default configuration at ${spec.goodWithinMs === null ? "maximizing throughput" : "answering in time"}.`;
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}

function limitWords({ metric, min, max }: TuningConstraint): string {
  return [min === null ? "" : `${metric} at least ${min}`, max === null ? "" : `${metric} at most ${max}`]
    .filter(Boolean)
    .join(" and ");
}

function gpuCells({ gpus }: MeasuredPoint["measured"]): string[] {
  if (gpus.length === 0) return ["-", "-"];
  const used = Math.max(...gpus.map(({ usedMb }) => usedMb));
  return [used.toFixed(0), (gpus.reduce((sum, { utilization }) => sum + utilization, 0) / gpus.length).toFixed(1)];
}
