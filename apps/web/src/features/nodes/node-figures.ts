import type { NodeRow } from "@nereid/services";
import { formatBytes, formatDuration, formatNumber, formatShare } from "@nereid/ui";
import type { HeatMetric, HeatNode } from "@nereid/ui/charts";

/** What is shown of a node, as texts; a dash for what it does not tell. */
export interface NodeTexts {
  readonly models: string;
  readonly requests: string;
  readonly failures: string;
  readonly p99: string;
  readonly cpu: string;
  readonly memory: string;
  readonly lag: string;
  readonly gpus: string;
}

export function nodeTexts({ models, figures, capabilities }: NodeRow): NodeTexts {
  const reading = figures?.reading ?? null;
  const gpus = reading?.gpus ?? [];
  const utilization = greatest(gpus.map((gpu) => gpu.utilization));
  return {
    models: models === null ? "–" : `${models.ready} / ${models.total}`,
    requests: formatNumber(figures?.requestsPerSecond ?? null),
    failures: formatShare(figures?.failureShare ?? null),
    p99:
      capabilities.percentiles === null
        ? formatDuration(figures?.p99 ?? null)
        : figures?.mean == null
          ? "–"
          : `mean ${formatDuration(figures.mean)}`,
    cpu: formatShare(reading?.cpu ?? null),
    memory: formatBytes(reading?.memoryUsedBytes),
    lag: formatDuration(reading?.eventLoopLagMs ?? null),
    gpus: gpus.length === 0 ? "–" : `${gpus.length} × ${formatShare(utilization)}`,
  };
}

/** Values from which on somebody should look. */
export const HEAT_METRICS: readonly HeatMetric[] = [
  { key: "cpu", label: "CPU", hot: 0.9, format: formatShare },
  { key: "memory", label: "Memory", hot: 0.95, format: formatShare },
  { key: "lag", label: "Loop lag", hot: 100, format: formatDuration },
  { key: "gpu", label: "GPU, busiest", hot: 0.95, format: formatShare },
  { key: "gpuMemory", label: "GPU memory, fullest", hot: 0.95, format: formatShare },
  { key: "failures", label: "Failed", hot: 0.05, format: formatShare },
];

export function heatNode({ id, name, connection, figures }: NodeRow): HeatNode {
  const reading = figures?.reading ?? null;
  const gpus = reading?.gpus ?? [];
  return {
    id,
    name,
    stale: connection.state !== "live",
    values: {
      cpu: reading?.cpu ?? null,
      memory: shareOf(reading?.memoryUsedBytes, reading?.memoryTotalBytes),
      lag: reading?.eventLoopLagMs ?? null,
      gpu: greatest(gpus.map(({ utilization }) => utilization)),
      gpuMemory: greatest(gpus.map((gpu) => shareOf(gpu.memoryUsedBytes, gpu.memoryTotalBytes))),
      failures: figures?.failureShare ?? null,
    },
  };
}

export function shareOf(part: number | undefined, whole: number | undefined): number | null {
  return part === undefined || whole === undefined || whole === 0 ? null : part / whole;
}

function greatest(values: readonly (number | null | undefined)[]): number | null {
  const known = values.filter((value) => value !== null && value !== undefined);
  return known.length === 0 ? null : Math.max(...known);
}
