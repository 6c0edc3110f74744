import type { PrometheusWriter } from "./prometheus-writer.ts";

/** Reads a whole text file, e.g. `(path) => readFileSync(path, "utf8")`; may throw. */
export type TextFileReader = (path: string) => string;

export interface CpuSample {
  /** Busy share of all cores since the last sample, 0…1; absent in the first sample. */
  readonly utilization?: number;
  readonly memoryTotalBytes?: number;
  readonly memoryUsedBytes?: number;
}

interface CpuTimes {
  readonly busy: number;
  readonly total: number;
}

/** Processor and memory load from /proc/stat and /proc/meminfo. What cannot be read is absent from the sample. */
export class CpuSensor {
  readonly #read: TextFileReader;
  #last: CpuTimes | undefined;

  constructor(read: TextFileReader) {
    this.#read = read;
  }

  sample(): CpuSample {
    return { ...this.#utilization(), ...this.#memory() };
  }

  #utilization(): CpuSample {
    const now = parseCpuTimes(this.#text("/proc/stat"));
    const last = this.#last;
    this.#last = now ?? last;
    if (now === undefined || last === undefined || now.total <= last.total) return {};
    return { utilization: Math.min(1, Math.max(0, (now.busy - last.busy) / (now.total - last.total))) };
  }

  #memory(): CpuSample {
    const text = this.#text("/proc/meminfo");
    const total = kibibytes(text, "MemTotal");
    const available = kibibytes(text, "MemAvailable");
    if (total === undefined || available === undefined) return {};
    return { memoryTotalBytes: total * 1024, memoryUsedBytes: (total - available) * 1024 };
  }

  #text(path: string): string {
    try {
      return this.#read(path);
    } catch {
      return "";
    }
  }
}

/** Writes nv_cpu_utilization and the nv_cpu_memory gauges; absent values are left out. */
export function renderCpuMetrics(writer: PrometheusWriter, sample: CpuSample): void {
  const gauge = (name: string, help: string, value: number | undefined): void => {
    if (value !== undefined) writer.family(name, "gauge", help).sample({}, value);
  };
  gauge("nv_cpu_utilization", "Busy share of all cores since the last poll, 0 to 1", sample.utilization);
  gauge("nv_cpu_memory_total_bytes", "Main memory of the machine, in bytes", sample.memoryTotalBytes);
  gauge("nv_cpu_memory_used_bytes", "Main memory in use, in bytes", sample.memoryUsedBytes);
}

/** Busy and total ticks of the `cpu` line: busy = user+nice+system+irq+softirq+steal, total adds idle+iowait. */
function parseCpuTimes(text: string): CpuTimes | undefined {
  const line = /^cpu\s+(.*)$/m.exec(text)?.[1];
  if (line === undefined) return undefined;
  const [user = 0, nice = 0, system = 0, idle = 0, iowait = 0, irq = 0, softirq = 0, steal = 0] = line
    .trim()
    .split(/\s+/)
    .map(Number);
  const busy = user + nice + system + irq + softirq + steal;
  return Number.isFinite(busy) ? { busy, total: busy + idle + iowait } : undefined;
}

function kibibytes(text: string, key: string): number | undefined {
  const digits = new RegExp(`^${key}:\\s+(\\d+) kB$`, "m").exec(text)?.[1];
  return digits === undefined ? undefined : Number(digits);
}
