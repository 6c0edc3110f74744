import type { PrometheusWriter } from "./prometheus-writer.ts";

/** One GPU at one moment; what the driver does not tell is absent. */
export interface GpuSample {
  readonly uuid: string;
  /** Share of the last interval in which the GPU worked, 0…1. */
  readonly utilization?: number;
  readonly memoryTotalBytes?: number;
  readonly memoryUsedBytes?: number;
  readonly powerWatts?: number;
  readonly powerLimitWatts?: number;
  /** Since the server started. */
  readonly energyJoules?: number;
}

/** Writes the nv_gpu families and nv_energy_consumption; absent values are left out. */
export function renderGpuMetrics(writer: PrometheusWriter, samples: readonly GpuSample[]): void {
  const write = (
    [name, type]: readonly [string, "gauge" | "counter"],
    help: string,
    value: (sample: GpuSample) => number | undefined,
  ): void => {
    const family = writer.family(name, type, help);
    for (const sample of samples) {
      const number = value(sample);
      if (number !== undefined) family.sample({ gpu_uuid: sample.uuid }, number);
    }
  };
  write(["nv_gpu_utilization", "gauge"], "Share of time in which the GPU worked, 0 to 1", (gpu) => gpu.utilization);
  write(["nv_gpu_memory_total_bytes", "gauge"], "Memory of the GPU, in bytes", (gpu) => gpu.memoryTotalBytes);
  write(["nv_gpu_memory_used_bytes", "gauge"], "Memory of the GPU in use, in bytes", (gpu) => gpu.memoryUsedBytes);
  write(["nv_gpu_power_usage", "gauge"], "Power the GPU draws, in watts", (gpu) => gpu.powerWatts);
  write(["nv_gpu_power_limit", "gauge"], "Power the GPU may draw, in watts", (gpu) => gpu.powerLimitWatts);
  write(
    ["nv_energy_consumption", "counter"],
    "Energy used since the server started, in joules",
    (gpu) => gpu.energyJoules,
  );
}
