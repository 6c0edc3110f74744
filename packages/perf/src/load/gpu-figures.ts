/** What a metrics page said of one GPU over a measurement. */
export interface GpuFigures {
  readonly uuid: string;
  /** Shares of 1; the mean. */
  readonly utilization: number;
  /** Watts; the mean. */
  readonly powerWatts: number;
  /** Bytes; the largest. */
  readonly usedBytes: number;
  /** Bytes; the first. */
  readonly totalBytes: number;
}

const LINE =
  /^(nv_gpu_utilization|nv_gpu_power_usage|nv_gpu_memory_used_bytes|nv_gpu_memory_total_bytes)\{([^}]*)\}\s+(\S+)/;

/** Means and maxima of the GPUs in the texts of a Prometheus page, as perf_analyzer adds them up. Pure. */
export function gpuFigures(pages: readonly string[]): GpuFigures[] {
  const values = new Map<string, Map<string, number[]>>();
  for (const line of pages.flatMap((page) => page.split("\n"))) {
    const [, metric = "", labels = "", number = ""] = LINE.exec(line) ?? [];
    const [, uuid] = /gpu_uuid="([^"]*)"/.exec(labels) ?? [];
    if (uuid === undefined) continue;
    const ofGpu = values.get(uuid) ?? new Map<string, number[]>();
    values.set(uuid, ofGpu.set(metric, [...(ofGpu.get(metric) ?? []), Number(number)]));
  }
  return [...values].map(([uuid, metrics]) => ({
    uuid,
    utilization: mean(metrics.get("nv_gpu_utilization")),
    powerWatts: mean(metrics.get("nv_gpu_power_usage")),
    usedBytes: Math.max(0, ...(metrics.get("nv_gpu_memory_used_bytes") ?? [])),
    totalBytes: metrics.get("nv_gpu_memory_total_bytes")?.[0] ?? 0,
  }));
}

function mean(values: readonly number[] = []): number {
  return values.length === 0 ? 0 : values.reduce((sum, one) => sum + one, 0) / values.length;
}
