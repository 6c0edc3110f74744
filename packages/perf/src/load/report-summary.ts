import type { LevelResult, ReportSettings } from "./level-result.ts";
import { throughputOf } from "./load-window.ts";
import { levelName } from "./report-head.ts";
import { rateText } from "./report-level.ts";
import { chosenLatencyUs } from "./stability.ts";

/** All levels in a line each, at the end of a report. Pure. */
export function reportSummary(results: readonly LevelResult[], settings: ReportSettings): string[] {
  const { percentile, batch } = settings;
  const figure = percentile === undefined ? "Average" : `p${percentile}`;
  return [
    `Inferences/Second vs. Client ${figure} Batch Latency`,
    ...results.map(({ mode, level, window }) => {
      const latency = Math.round(chosenLatencyUs(window, percentile));
      return `${levelName(mode, level)}, throughput: ${rateText(throughputOf(window, batch))} infer/sec, latency ${latency} usec`;
    }),
  ];
}

/** One window of a measurement that goes on, for -v. Pure. */
export function passLine(number: number, window: LevelResult["window"], settings: ReportSettings): string {
  const { percentile, batch } = settings;
  const latency = Math.round(chosenLatencyUs(window, percentile));
  const figure = percentile === undefined ? "Avg latency" : `p${percentile} latency`;
  return `  Pass [${number}] throughput: ${rateText(throughputOf(window, batch))} infer/sec. ${figure}: ${latency} usec.`;
}
