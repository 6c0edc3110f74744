import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  bestOfEach,
  detailedReport,
  gpuCsv,
  gpuPlot,
  inferenceCsv,
  latencyBreakdown,
  measuredPoints,
  type Report,
  reportHtml,
  reportPdf,
  scatterPlot,
  serverCsv,
  summaryReport,
  svgOf,
  THROUGHPUT_LATENCY,
  type TuningResult,
} from "@nereid/perf";
import type { AnalyzeCommand } from "./analyze-command.ts";

type Wanted = Pick<AnalyzeCommand, "exportPath" | "formats" | "top" | "only" | "summary" | "detailed">;

/** Writes tables, reports and plots where Model Analyzer puts them; answers their paths. */
export function writeReports(results: readonly TuningResult[], command: Wanted): string[] {
  const written: string[] = [];
  const write = (path: string, content: string | Uint8Array) => {
    const file = join(command.exportPath, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    written.push(file);
  };
  const writeReport = (path: string, report: Report) => {
    if (command.formats.has("pdf")) write(`${path}.pdf`, reportPdf(report));
    if (command.formats.has("html")) write(`${path}.html`, reportHtml(report));
  };
  if (command.formats.has("csv")) {
    write("results/metrics-model-inference.csv", inferenceCsv(results));
    write("results/metrics-model-gpu.csv", gpuCsv(results));
    write("results/metrics-server-only.csv", serverCsv(results));
  }
  for (const result of results) {
    const points = measuredPoints(result);
    if (points.length === 0) continue;
    const { model } = result.spec;
    if (command.summary) {
      writeReport(`reports/summaries/${model}/result_summary`, summaryReport(result, command.top));
      if (command.formats.has("html")) {
        write(`plots/simple/${model}/throughput_v_latency.svg`, svgOf(scatterPlot(points, THROUGHPUT_LATENCY)));
        if (points.some(({ measured }) => measured.gpus.length > 0))
          write(`plots/simple/${model}/gpu_mem_v_latency.svg`, svgOf(gpuPlot(points)));
      }
    }
    if (!command.detailed) continue;
    for (const config of detailedConfigs(result, command)) {
      writeReport(`reports/detailed/${config}/detailed_report`, detailedReport(result, config));
      if (command.formats.has("html"))
        write(`plots/detailed/${config}/latency_breakdown.svg`, svgOf(latencyBreakdown(points, config)));
    }
  }
  return written;
}

function detailedConfigs(result: TuningResult, { only, top }: Wanted): string[] {
  const measured = bestOfEach(measuredPoints(result)).map(({ config }) => config);
  return only.length > 0 ? measured.filter((config) => only.includes(config)) : measured.slice(0, top);
}
