import { clientTimes, networkUs } from "./client-times.ts";
import type { GpuFigures } from "./gpu-figures.ts";
import { latencyFigures } from "./latency-figures.ts";
import type { LevelResult, ReportSettings } from "./level-result.ts";
import { latenciesUs, throughputOf } from "./load-window.ts";
import { rateText } from "./report-level.ts";
import { phaseMeanUs, type ServerCounters, sumServerFigures } from "./server-figures.ts";

export interface CsvOptions {
  /** More columns. */
  readonly verbose: boolean;
  /** Columns of GPUs. */
  readonly gpus: boolean;
}

type Column = readonly [title: string, value: (row: Row) => number | string];

interface Row {
  readonly result: LevelResult;
  readonly settings: ReportSettings;
  /** The model the row is about. */
  readonly server: ServerCounters;
}

/** perf_analyzer's table, rows by throughput, times in whole microseconds. Ends with a line break. Pure. */
export function reportCsv(results: readonly LevelResult[], settings: ReportSettings, options: CsvOptions): string {
  const columns = [...loadColumns(settings), ...latencyColumns(settings), ...moreColumns(settings, options)];
  return table(columns, rowsOf(results, settings));
}

/** The table of one model of an ensemble: up to what the client received. Pure. */
export function composingCsv(results: readonly LevelResult[], settings: ReportSettings, model: string): string {
  return table(loadColumns(settings), rowsOf(results, settings, model));
}

function rowsOf(results: readonly LevelResult[], settings: ReportSettings, model = settings.model): Row[] {
  return results
    .toSorted((a, b) => throughputOf(a.window, settings.batch) - throughputOf(b.window, settings.batch))
    .map((result) => {
      const server = result.window.server.find(({ name }) => name === model) ?? sumServerFigures(model, []);
      return { result, settings, server };
    });
}

function table(columns: readonly Column[], rows: readonly Row[]): string {
  const lines = rows.map((row) => columns.map(([, value]) => value(row)).join(","));
  return `${[columns.map(([title]) => title).join(","), ...lines].join("\n")}\n`;
}

function loadColumns(settings: ReportSettings): Column[] {
  const times = ({ result }: Row) => clientTimes(result.window);
  const phase = (title: string, name: Parameters<typeof phaseMeanUs>[1]): Column => [
    `Server ${title}`,
    ({ server }) => Math.round(phaseMeanUs(server, name)),
  ];
  const responses: Column = [
    "Response Throughput",
    ({ result: { window } }) =>
      rateText(
        (window.requests.reduce((sum, { responsesMs }) => sum + responsesMs.length, 0) * 1000) / window.durationMs,
      ),
  ];
  return [
    [settings.mode === "concurrency" ? "Concurrency" : "Request Rate", ({ result }) => result.level],
    ["Inferences/Second", ({ result }) => rateText(throughputOf(result.window, settings.batch))],
    ...(settings.decoupled ? [responses] : []),
    ["Client Send", (row) => Math.round(times(row).sendUs)],
    ["Network+Server Send/Recv", (row) => Math.round(networkUs(times(row), row.server))],
    phase("Queue", "queue"),
    phase("Compute Input", "computeInput"),
    phase("Compute Infer", "computeInfer"),
    phase("Compute Output", "computeOutput"),
    ...(settings.cached ? [phase("Cache Hit", "cacheHit"), phase("Cache Miss", "cacheMiss")] : []),
    ["Client Recv", (row) => Math.round(times(row).receiveUs)],
  ];
}

function latencyColumns({ percentile }: ReportSettings): Column[] {
  const more = percentile === undefined ? [] : [percentile];
  const { percentilesUs } = latencyFigures(new Float64Array(), more);
  return [...percentilesUs.keys()].map((p) => [
    `p${p} latency`,
    ({ result }) => Math.round(latencyFigures(latenciesUs(result.window), more).percentilesUs.get(p) ?? 0),
  ]);
}

function moreColumns({ percentile }: ReportSettings, { verbose, gpus }: CsvOptions): Column[] {
  if (!verbose) return [];
  const average: Column = [
    "Avg latency",
    ({ result }) => Math.round(latencyFigures(latenciesUs(result.window)).averageUs),
  ];
  const gpu = (title: string, of: (gpu: GpuFigures) => number): Column => [
    title,
    ({ result }) => result.gpus.map((one) => `${one.uuid}:${rateText(of(one))};`).join(""),
  ];
  const transport = ({ result }: Row) => clientTimes(result.window);
  return [
    ...(percentile === undefined ? [average] : []),
    ["request/response", (row) => Math.round(transport(row).sendUs + transport(row).receiveUs)],
    ["response wait", (row) => Math.round(transport(row).waitUs)],
    ...(gpus
      ? [
          gpu("Avg GPU Utilization", ({ utilization }) => utilization),
          gpu("Avg GPU Power Usage", ({ powerWatts }) => powerWatts),
          gpu("Max GPU Memory Usage", ({ usedBytes }) => usedBytes),
          gpu("Total GPU Memory", ({ totalBytes }) => totalBytes),
        ]
      : []),
  ];
}
