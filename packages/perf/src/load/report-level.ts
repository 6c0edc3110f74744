import { clientTimes } from "./client-times.ts";
import type { GpuFigures } from "./gpu-figures.ts";
import { latencyFigures } from "./latency-figures.ts";
import type { LevelResult, ReportSettings } from "./level-result.ts";
import { latenciesUs, serviceUs, throughputOf } from "./load-window.ts";
import { phaseMeanUs, type ServerCounters } from "./server-figures.ts";

const us = (value: number) => `${Math.round(value)} usec`;
/** perf_analyzer's six significant digits. */
export const rateText = (value: number) => String(Number(value.toPrecision(6)));

/** The figures of one level, client and server, in perf_analyzer's words; what it does not tell follows in further lines. Pure. */
export function reportLevel(result: LevelResult, settings: ReportSettings): string[] {
  return [...clientLines(result, settings), ...serverLines(result.window.server, settings), ...gpuLines(result.gpus)];
}

function clientLines({ window, mode }: LevelResult, settings: ReportSettings): string[] {
  const { requests, failed, late, durationMs } = window;
  const seconds = durationMs / 1000;
  const lines = ["  Client: ", `    Request count: ${requests.length}`];
  if (failed > 0) lines.push(`    Failed request count: ${failed} (${percent(failed, failed + requests.length)})`);
  if (settings.sequences) {
    const ended = requests.filter(({ sequenceEnd }) => sequenceEnd).length;
    lines.push(`    Sequence count: ${ended} (${rateText(ended / seconds)} seq/sec)`);
  }
  if (mode !== "concurrency") {
    lines.push(`    Late send count: ${late} (${percent(late, failed + requests.length)})`);
    const sent = requests.filter(({ startMs }) => startMs >= window.fromMs && startMs < window.toMs).length;
    lines.push(`    Avg send request rate: ${(sent / seconds).toFixed(2)} infer/sec`);
  }
  lines.push(`    Throughput: ${rateText(throughputOf(window, settings.batch))} infer/sec`);
  if (settings.decoupled) {
    const responses = requests.reduce((sum, { responsesMs }) => sum + responsesMs.length, 0);
    lines.push(`    Response Throughput: ${rateText(responses / seconds)} infer/sec`);
  }
  if (settings.verbose) lines.push(`    Avg client overhead: ${(100 * window.generator.cpu).toFixed(2)}%`);
  const { averageUs, deviationUs, percentilesUs } = latencyFigures(latenciesUs(window), chosen(settings));
  if (settings.percentile === undefined)
    lines.push(`    Avg latency: ${us(averageUs)} (standard deviation ${us(deviationUs ?? 0)})`);
  for (const [p, value] of percentilesUs) lines.push(`    p${p} latency: ${us(value)}`);
  lines.push(...transportLines({ window, settings }));
  if (mode !== "concurrency") lines.push(serviceLine(serviceUs(window)));
  return lines;
}

/** Beside the latency that waiting requests feel: what the server took for those that were sent. */
function serviceLine(values: Float64Array): string {
  const { averageUs, percentilesUs } = latencyFigures(values);
  const told = [...percentilesUs].map(([p, value]) => `p${p} ${us(value)}`).join(", ");
  return `    Counted from when a request was sent, not due: avg ${us(averageUs)}, ${told}`;
}

function transportLines({ window, settings }: { window: LevelResult["window"]; settings: ReportSettings }): string[] {
  const { sendUs, waitUs, receiveUs } = clientTimes(window);
  const total = us(sendUs + waitUs + receiveUs);
  const wait = `response wait ${us(waitUs)}`;
  if (settings.protocol === "grpc")
    return [`    Avg gRPC time: ${total} ((un)marshal request/response ${us(sendUs + receiveUs)} + ${wait})`];
  if (settings.verbose)
    return [`    Avg HTTP time: ${total} (send ${us(sendUs)} + ${wait} + receive ${us(receiveUs)})`];
  return [`    Avg HTTP time: ${total} (send/recv ${us(sendUs + receiveUs)} + ${wait})`];
}

function serverLines(server: readonly ServerCounters[], { cached }: ReportSettings): string[] {
  const [served, ...composing] = server;
  if (served === undefined) return [];
  const lines = ["  Server: ", ...modelLines(served, { cached, indent: "    " })];
  if (composing.length > 0) lines.push("    Composing models: ");
  for (const one of composing) {
    const version = one.version === "" ? "" : `, version: ${one.version}`;
    lines.push(`    ${one.name}${version}`, ...modelLines(one, { cached: false, indent: "        " }));
  }
  return lines;
}

function modelLines(model: ServerCounters, { cached, indent }: { cached: boolean; indent: string }): string[] {
  const { inferences, executions, phases } = model;
  const mean = (phase: Parameters<typeof phaseMeanUs>[1]) => phaseMeanUs(model, phase);
  const parts = [mean("queue"), mean("computeInput"), mean("computeInfer"), mean("computeOutput")] as const;
  const cache = cached ? [mean("cacheHit"), mean("cacheMiss")] : [];
  const overhead = Math.max(0, mean("success") - [...parts, ...cache].reduce((sum, part) => sum + part, 0));
  const [queue, input, infer, output] = parts.map(us);
  const whole = `overhead ${us(overhead)} + queue ${queue} + compute input ${input} + compute infer ${infer} + compute output ${output}`;
  return [
    `Inference count: ${inferences}`,
    `Execution count: ${executions}`,
    ...(cached ? [`Cache hit count: ${phases.cacheHit.count}`, `Cache miss count: ${phases.cacheMiss.count}`] : []),
    `Successful request count: ${phases.success.count}`,
    `Avg request latency: ${us(mean("success"))} (${whole})`,
  ].map((line) => `${indent}${line}`);
}

function gpuLines(gpus: readonly GpuFigures[]): string[] {
  if (gpus.length === 0) return [];
  const each = (title: string, text: (gpu: GpuFigures) => string) => [
    `    ${title}:`,
    ...gpus.map((gpu) => `      ${gpu.uuid} : ${text(gpu)}`),
  ];
  return [
    "  Server Prometheus Metrics: ",
    ...each("Avg GPU Utilization", ({ utilization }) => `${rateText(100 * utilization)}%`),
    ...each("Avg GPU Power Usage", ({ powerWatts }) => `${rateText(powerWatts)} watts`),
    ...each("Max GPU Memory Usage", ({ usedBytes }) => `${usedBytes} bytes`),
    ...each("Total GPU Memory", ({ totalBytes }) => `${totalBytes} bytes`),
  ];
}

function chosen({ percentile }: ReportSettings): number[] {
  return percentile === undefined ? [] : [percentile];
}

function percent(part: number, whole: number): string {
  return `${whole === 0 ? "0.00" : ((100 * part) / whole).toFixed(2)}%`;
}
