import type { PrometheusWriter } from "./prometheus-writer.ts";

/** One GPU at one moment; what the driver does not tell is absent. */
export interface GpuSample {
  readonly uuid: string;
  /** Such as `NVIDIA A100-SXM4-80GB`. */
  readonly name?: string;
  /** Share of the last interval in which the GPU worked, 0…1. */
  readonly utilization?: number;
  /** Share of the last interval in which its memory was read or written, 0…1. */
  readonly memoryUtilization?: number;
  readonly memoryTotalBytes?: number;
  readonly memoryUsedBytes?: number;
  readonly powerWatts?: number;
  readonly powerLimitWatts?: number;
  /** Since the server started. */
  readonly energyJoules?: number;
  readonly temperatureCelsius?: number;
  readonly smClockHertz?: number;
  readonly memoryClockHertz?: number;
  /** Errors of its memory since the driver was loaded. */
  readonly correctedErrors?: number;
  readonly uncorrectedErrors?: number;
  /** Reasons to slow down, by name, and whether they hold. */
  readonly throttleReasons?: Readonly<Record<string, boolean>>;
  readonly pcieReplays?: number;
  /** Errors the driver reported since the server started: how many of each number. */
  readonly xids?: Readonly<Record<string, number>>;
}

type Type = "gauge" | "counter";

/** Families with one value for each GPU. The first six are Triton's, the others ours. */
const FAMILIES: readonly (readonly [string, Type, string, (gpu: GpuSample) => number | undefined])[] = [
  ["nv_gpu_utilization", "gauge", "Share of time in which the GPU worked, 0 to 1", (gpu) => gpu.utilization],
  ["nv_gpu_memory_total_bytes", "gauge", "Memory of the GPU, in bytes", (gpu) => gpu.memoryTotalBytes],
  ["nv_gpu_memory_used_bytes", "gauge", "Memory of the GPU in use, in bytes", (gpu) => gpu.memoryUsedBytes],
  ["nv_gpu_power_usage", "gauge", "Power the GPU draws, in watts", (gpu) => gpu.powerWatts],
  ["nv_gpu_power_limit", "gauge", "Power the GPU may draw, in watts", (gpu) => gpu.powerLimitWatts],
  ["nv_energy_consumption", "counter", "Energy used since the server started, in joules", (gpu) => gpu.energyJoules],
  [
    "nereid_gpu_memory_utilization",
    "gauge",
    "Share of time in which the GPU's memory was read or written, 0 to 1",
    (gpu) => gpu.memoryUtilization,
  ],
  ["nereid_gpu_temperature_celsius", "gauge", "Temperature of the GPU", (gpu) => gpu.temperatureCelsius],
  ["nereid_gpu_sm_clock_hertz", "gauge", "Clock of the GPU's multiprocessors", (gpu) => gpu.smClockHertz],
  ["nereid_gpu_memory_clock_hertz", "gauge", "Clock of the GPU's memory", (gpu) => gpu.memoryClockHertz],
  ["nereid_gpu_pcie_replays_total", "counter", "Transfers over PCIe that were repeated", (gpu) => gpu.pcieReplays],
];

/** Writes the nv_gpu families, nv_energy_consumption and the nereid_gpu families; absent values are left out. */
export function renderGpuMetrics(writer: PrometheusWriter, samples: readonly GpuSample[]): void {
  for (const [name, type, help, value] of FAMILIES) {
    const family = writer.family(name, type, help);
    for (const sample of samples) {
      const number = value(sample);
      if (number !== undefined) family.sample({ gpu_uuid: sample.uuid }, number);
    }
  }
  const info = writer.family("nereid_gpu_info", "gauge", "The GPU's name, as a label of the constant 1");
  const ecc = writer.family(
    "nereid_gpu_ecc_errors_total",
    "counter",
    "Errors of the GPU's memory since the driver was loaded",
  );
  const throttle = writer.family("nereid_gpu_throttled", "gauge", "1 while the GPU slows down for this reason");
  const xid = writer.family(
    "nereid_gpu_xid_errors_total",
    "counter",
    "Errors (Xid) the driver reported since the server started",
  );
  for (const { uuid: gpu_uuid, ...gpu } of samples) {
    if (gpu.name !== undefined) info.sample({ gpu_uuid, name: gpu.name }, 1);
    if (gpu.correctedErrors !== undefined) ecc.sample({ gpu_uuid, kind: "corrected" }, gpu.correctedErrors);
    if (gpu.uncorrectedErrors !== undefined) ecc.sample({ gpu_uuid, kind: "uncorrected" }, gpu.uncorrectedErrors);
    for (const [reason, holds] of Object.entries(gpu.throttleReasons ?? {}))
      throttle.sample({ gpu_uuid, reason }, holds ? 1 : 0);
    for (const [number, count] of Object.entries(gpu.xids ?? {})) xid.sample({ gpu_uuid, xid: number }, count);
  }
}
