import type { FailureReason } from "./phase-durations.ts";
import type { SparseHistogram } from "./sparse-histogram.ts";

/** One model version in one second; sums over the requests that ended in it. Same shape as the management API's. */
export interface SeriesBucket {
  readonly model: string;
  readonly version: string;
  readonly success: number;
  readonly failure: number;
  readonly inferences: number;
  readonly executions: number;
  /** Pending requests at the end of the second. */
  readonly pending: number;
  readonly sumNs: {
    readonly request: number;
    readonly queue: number;
    readonly computeInput: number;
    readonly computeInfer: number;
    readonly computeOutput: number;
  };
  /** Whole-request latency. */
  readonly latency: SparseHistogram;
  /** Failures by Triton's reason (REJECTED, CANCELED, BACKEND, OTHER); absent where the node does not say. */
  readonly failures?: Readonly<Partial<Record<FailureReason, number>>>;
  /** Executions by batch size. */
  readonly batchSizes?: readonly (readonly [size: number, executions: number])[];
  /** Batches by what closed them (the scheduler's words, such as full, delay or idle). */
  readonly closed?: Readonly<Record<string, number>>;
  /** Time its instances were executing, nanoseconds, of all instances together; and how many there are. */
  readonly busyNs?: number;
  readonly instances?: number;
}

/** One GPU in one second; absent fields are not told by its driver. */
export interface GpuReading {
  readonly index: number;
  readonly name?: string;
  /** 0…1. */
  readonly utilization?: number;
  readonly memoryUsedBytes?: number;
  readonly memoryTotalBytes?: number;
  readonly powerWatts?: number;
  readonly temperatureCelsius?: number;
  readonly eccErrors?: number;
  /** Xid errors since the server started. */
  readonly xidErrors?: number;
}

/** The machine and the server's own process in one second. */
export interface NodeReading {
  /** Share of all processors in use, 0…1. */
  readonly cpu?: number;
  readonly memoryUsedBytes?: number;
  readonly memoryTotalBytes?: number;
  /** Of the server and its runners together. */
  readonly rssBytes?: number;
  /** Greatest lag of the server's event loop in the second, milliseconds. */
  readonly eventLoopLagMs?: number;
  readonly gpus?: readonly GpuReading[];
}

/** All model versions in the second that starts at `t` (Unix seconds); versions without traffic have no row. */
export interface SecondBucket {
  readonly t: number;
  readonly series: readonly SeriesBucket[];
  /** Absent where the node does not say. */
  readonly node?: NodeReading;
}
