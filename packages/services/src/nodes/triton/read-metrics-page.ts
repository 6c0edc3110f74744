import type { GpuReading, NodeReading } from "@nereid/client";
import { type PendingRequests, versionKey } from "./difference-statistics.ts";

/** What is taken from a Triton metrics page. */
export interface MetricsPage {
  /** Undefined when it says nothing of the machine. */
  readonly node: NodeReading | undefined;
  readonly pending: PendingRequests;
}

interface Sample {
  readonly name: string;
  readonly labels: ReadonlyMap<string, string>;
  readonly value: number;
}

const LINE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? +(\S+)/;
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\.)*)"/g;
const PENDING = "nv_inference_pending_request_count";

type GpuField = "utilization" | "memoryUsedBytes" | "memoryTotalBytes" | "powerWatts";

const GPU_FIELDS: Readonly<Record<string, GpuField>> = {
  nv_gpu_utilization: "utilization",
  nv_gpu_memory_used_bytes: "memoryUsedBytes",
  nv_gpu_memory_total_bytes: "memoryTotalBytes",
  nv_gpu_power_usage: "powerWatts",
};

type MachineField = "cpu" | "memoryUsedBytes" | "memoryTotalBytes";

const MACHINE_FIELDS: Readonly<Record<string, MachineField>> = {
  nv_cpu_utilization: "cpu",
  nv_cpu_memory_used_bytes: "memoryUsedBytes",
  nv_cpu_memory_total_bytes: "memoryTotalBytes",
};

/** Readings of the machine and pending requests from the Prometheus text. Lines that cannot be read are passed over. */
export function readMetricsPage(text: string): MetricsPage {
  const machine: Partial<Record<MachineField, number>> = {};
  const gpus = new Map<string, Partial<Record<GpuField, number>>>();
  const pending = new Map<string, number>();
  for (const { name, labels, value } of samplesOf(text)) {
    const machineField = MACHINE_FIELDS[name];
    const gpuField = GPU_FIELDS[name];
    if (machineField !== undefined) machine[machineField] = value;
    else if (gpuField !== undefined) {
      const uuid = labels.get("gpu_uuid") ?? "";
      gpus.set(uuid, { ...gpus.get(uuid), [gpuField]: value });
    } else if (name === PENDING) {
      const key = versionKey(labels.get("model") ?? "", labels.get("version") ?? "");
      pending.set(key, (pending.get(key) ?? 0) + value);
    }
  }
  // The page names GPUs by their UUID only; in its order they get numbers.
  const readings = [...gpus].map(([uuid, fields], index): GpuReading => ({ index, name: uuid, ...fields }));
  const nothing = Object.keys(machine).length === 0 && readings.length === 0;
  const node = nothing ? undefined : { ...machine, ...(readings.length > 0 && { gpus: readings }) };
  return { node, pending };
}

function samplesOf(text: string): Sample[] {
  return text.split("\n").flatMap((line) => {
    const [, name, labels = "", value] = LINE.exec(line) ?? [];
    const number = Number(value);
    if (name === undefined || !Number.isFinite(number)) return [];
    const pairs = [...labels.matchAll(LABEL)].map(([, key = "", text = ""]) => [key, unescapeLabel(text)] as const);
    return [{ name, labels: new Map(pairs), value: number }];
  });
}

function unescapeLabel(text: string): string {
  return text.replace(/\\(.)/g, (_, next: string) => (next === "n" ? "\n" : next));
}
