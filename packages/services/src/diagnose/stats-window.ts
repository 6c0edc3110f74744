import type { FlightRecord } from "@nereid/client";

/** Mean milliseconds a request spent in each phase; null without requests. */
export interface PhaseMeans {
  readonly queue: number;
  readonly input: number;
  readonly infer: number;
  readonly output: number;
}

/** Sums of a stretch of time of one model, or of one version or node of it. */
export interface WindowSlice {
  /** Requests that succeeded, and that failed. */
  readonly succeeded: number;
  readonly failed: number;
  /** By Triton's reasons; empty where the node does not say. */
  readonly failures: Readonly<Record<string, number>>;
  readonly requestsPerSecond: number;
  /** Milliseconds; null without requests or where the node has no histograms. */
  readonly p50: number | null;
  readonly p95: number | null;
  readonly p99: number | null;
  readonly means: PhaseMeans | null;
  readonly executions: number;
  /** Inferences an execution. */
  readonly meanBatch: number | null;
  /** Executions by batch size; empty where the node does not say. */
  readonly batchSizes: readonly (readonly [size: number, executions: number])[];
  /** Batches by what closed them; empty where the node does not say. */
  readonly closed: Readonly<Record<string, number>>;
  /** Share of the instances' time in which they executed, 0…1; null where the node does not say. */
  readonly busyShare: number | null;
  /** Means of receiving a request and of handing its answer to the client, milliseconds; null where the node does not say. */
  readonly network: { readonly receive: number; readonly send: number } | null;
}

/** One point of the window's time line. Nulls: not known. */
export interface WindowPoint {
  /** Unix second at which it starts. */
  readonly t: number;
  readonly requests: number;
  readonly failed: number;
  readonly p99: number | null;
  readonly infer: number | null;
  readonly queue: number | null;
  readonly pending: number;
  readonly meanBatch: number | null;
  /** Processors that the other models of the node kept busy, in processors. */
  readonly neighbours: number | null;
  /** Share of all processors in use, 0…1. */
  readonly cpu: number | null;
  readonly eventLoopLagMs: number | null;
}

export interface NeighbourShare {
  readonly model: string;
  /** Milliseconds of execution a second. */
  readonly computeMsPerSecond: number;
}

export interface WindowGpu {
  readonly index: number;
  /** Means of the window, 0…1. */
  readonly utilization: number | null;
  readonly memoryShare: number | null;
  readonly temperatureCelsius: number | null;
  /** New in the window. */
  readonly eccErrors: number;
  readonly xidErrors: number;
}

export interface WindowMachine {
  /** Mean of the window, 0…1. */
  readonly cpu: number | null;
  readonly cores: number | null;
  readonly memoryShare: number | null;
  /** Greatest of the window. */
  readonly eventLoopLagMs: number | null;
  readonly gpus: readonly WindowGpu[];
}

/** What of the configuration decides about waiting and executing. */
export interface WindowConfig {
  readonly maxBatchSize: number;
  /** Whether it has a dynamic batcher. */
  readonly batches: boolean;
  readonly queueDelayUs: number;
  readonly preferredSizes: readonly number[];
  /** Largest number of waiting requests; 0 = no limit. */
  readonly maxQueueSize: number;
  /** Of one version, all groups together. */
  readonly instances: number;
  /** Threads each instance computes with; null where it is not said. */
  readonly threads: number | null;
  readonly kind: "cpu" | "gpu";
  readonly backend: string;
}

export interface WindowEvent {
  readonly t: number;
  readonly label: string;
}

/** Everything that a diagnosis looks at; the steps are pure functions of it. */
export interface StatsWindow {
  readonly model: string;
  readonly version: string | null;
  readonly node: string;
  /** Unix seconds, `to` exclusive. */
  readonly from: number;
  readonly to: number;
  readonly whole: WindowSlice;
  readonly versions: readonly { readonly key: string; readonly slice: WindowSlice }[];
  readonly nodes: readonly { readonly key: string; readonly slice: WindowSlice }[];
  readonly timeline: readonly WindowPoint[];
  /** The same length of time just before; null when nothing was measured then. */
  readonly before: WindowSlice | null;
  readonly machine: WindowMachine | null;
  /** The busiest other models, busiest first. */
  readonly neighbours: readonly NeighbourShare[];
  /** Remembered requests of the window that were answered: the slow ones, and what was sampled whatever became of it. */
  readonly slow: readonly FlightRecord[];
  readonly sampled: readonly FlightRecord[];
  readonly failed: readonly FlightRecord[];
  readonly config: WindowConfig | null;
  readonly events: readonly WindowEvent[];
}
