import { readFileSync } from "node:fs";
import { CpuSensor, type GpuReading, type GpuSample, type NodeReading } from "@nereid/telemetry";
import { EventLoopSensor } from "./event-loop-sensor.ts";
import { GpuSensor } from "./nvml.ts";

export interface NodeSensorOptions {
  /** Whether GPUs are asked, and how often, in milliseconds. */
  readonly gpus: boolean;
  readonly gpuIntervalMs: number;
  /** Processes of the runners there are now. */
  readonly runners: () => readonly number[];
  /** Resident bytes of a process and those it started; undefined where it is gone. */
  readonly rssOf: (pid: number) => number | undefined;
}

/** Each costs the event loop a few reads of /proc. */
const RUNNERS_A_SECOND = 8;

/** What the machine and the server's own processes do, second by second. */
export class NodeSensor {
  readonly loop = new EventLoopSensor();
  readonly #options: NodeSensorOptions;
  readonly #cpu = new CpuSensor((path) => readFileSync(path, "utf8"));
  readonly #rss = new Map<number, number>();
  #gpus: readonly GpuSample[] = [];
  #timer: NodeJS.Timeout | undefined;
  #reading = false;
  #closed = false;

  constructor(options: NodeSensorOptions) {
    this.#options = options;
    if (options.gpus) void this.#openGpus();
  }

  /** As the driver told them last; empty where there are none. */
  get gpus(): readonly GpuSample[] {
    return this.#gpus;
  }

  /** The second that ends now. What the system does not tell is absent. */
  read(): NodeReading {
    const { utilization, memoryTotalBytes, memoryUsedBytes } = this.#cpu.sample();
    return {
      ...(utilization !== undefined && { cpu: utilization }),
      ...(memoryTotalBytes !== undefined && { memoryTotalBytes }),
      ...(memoryUsedBytes !== undefined && { memoryUsedBytes }),
      rssBytes: process.memoryUsage.rss() + this.#runnersRss(),
      eventLoopLagMs: this.loop.takeWorstMs(),
      ...(this.#gpus.length > 0 && { gpus: this.#gpus.map(gpuReading) }),
    };
  }

  close(): void {
    this.#closed = true;
    clearInterval(this.#timer);
    this.loop.close();
  }

  /** Of many runners only some are measured each second; the others count with what they had. */
  #runnersRss(): number {
    const pids = this.#options.runners();
    for (const pid of this.#rss.keys()) if (!pids.includes(pid)) this.#rss.delete(pid);
    const unknown = pids.filter((pid) => !this.#rss.has(pid));
    const next = [...unknown, ...this.#rss.keys()].slice(0, RUNNERS_A_SECOND);
    for (const pid of next) {
      const bytes = this.#options.rssOf(pid);
      this.#rss.delete(pid);
      if (bytes !== undefined) this.#rss.set(pid, bytes);
    }
    return [...this.#rss.values()].reduce((sum, bytes) => sum + bytes, 0);
  }

  async #openGpus(): Promise<void> {
    const sensor = await GpuSensor.open();
    if (sensor === undefined || this.#closed) return;
    const read = async () => {
      // A driver that hangs must not pile up threads that wait for it.
      if (this.#reading) return;
      this.#reading = true;
      try {
        this.#gpus = await sensor.sample();
      } catch {
        this.#gpus = [];
      } finally {
        this.#reading = false;
      }
    };
    void read();
    this.#timer = setInterval(() => void read(), this.#options.gpuIntervalMs);
    this.#timer.unref();
  }
}

function gpuReading(gpu: GpuSample, index: number): GpuReading {
  const { name, utilization, memoryUsedBytes, memoryTotalBytes, powerWatts, temperatureCelsius } = gpu;
  const ecc = gpu.correctedErrors ?? gpu.uncorrectedErrors;
  return {
    index,
    ...(name !== undefined && { name }),
    ...(utilization !== undefined && { utilization }),
    ...(memoryUsedBytes !== undefined && { memoryUsedBytes }),
    ...(memoryTotalBytes !== undefined && { memoryTotalBytes }),
    ...(powerWatts !== undefined && { powerWatts }),
    ...(temperatureCelsius !== undefined && { temperatureCelsius }),
    ...(ecc !== undefined && { eccErrors: (gpu.correctedErrors ?? 0) + (gpu.uncorrectedErrors ?? 0) }),
    ...(gpu.xids !== undefined && { xidErrors: Object.values(gpu.xids).reduce((sum, count) => sum + count, 0) }),
  };
}
