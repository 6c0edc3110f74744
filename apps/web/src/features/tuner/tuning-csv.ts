import type { TuningResult } from "@nereid/perf/tuner";
import { csvTable } from "../../lib/csv-table.ts";

const COLUMNS = [
  "config",
  "instances",
  "max_batch_size",
  "max_queue_delay_us",
  "preferred_batch_size",
  "threads",
  "accelerator",
  "load",
  "request_batch",
  "measured_throughput",
  "measured_goodput",
  "measured_p99_us",
  "simulated_throughput",
  "simulated_p99_us",
  "satisfies_constraints",
] as const;

/** Every point of a search as comma-separated values; empty = not known. Pure. */
export function tuningCsv({ points }: Pick<TuningResult, "points">): string {
  const rows = points.map(({ config, setting, level, requestBatch, measured, simulated, passes }) => [
    config,
    setting.instances,
    setting.maxBatchSize,
    setting.queueDelayUs,
    setting.preferred.join(" "),
    setting.threads,
    setting.accelerator,
    level,
    requestBatch,
    measured?.throughput.toFixed(1),
    measured?.goodput.toFixed(1),
    measured?.p99Us.toFixed(0),
    simulated?.throughput.toFixed(1),
    simulated?.p99Us.toFixed(0),
    passes,
  ]);
  return csvTable([COLUMNS, ...rows]);
}
