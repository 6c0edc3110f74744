import type { GpuFigures } from "./gpu-figures.ts";
import type { LoadWindow } from "./load-window.ts";

export type LoadMode = "concurrency" | "request_rate" | "custom";

/** One level of load as it was measured. */
export interface LevelResult {
  readonly mode: LoadMode;
  /** Requests outstanding, or requests a second that were due. */
  readonly level: number;
  /** The last windows together. */
  readonly window: LoadWindow;
  readonly stable: boolean;
  readonly gpus: readonly GpuFigures[];
}

/** What was measured and how, as far as reports tell it. */
export interface ReportSettings {
  readonly model: string;
  readonly protocol: "http" | "grpc";
  readonly serviceKind: "triton" | "openai";
  readonly endpoint: string;
  readonly batch: number;
  /** The percentile that must agree; undefined = the average. */
  readonly percentile: number | undefined;
  readonly measurement: Measurement;
  /** 0 = none. */
  readonly latencyLimitMs: number;
  readonly mode: LoadMode;
  /** Highest level that is tried; 0 = no limit. */
  readonly lastLevel: number;
  readonly distribution: "constant" | "poisson" | "bursts";
  readonly asynchronous: boolean;
  readonly verbose: boolean;
  readonly decoupled: boolean;
  readonly sequences: boolean;
  /** Whether the model has a response cache. */
  readonly cached: boolean;
}

export type Measurement =
  | { readonly kind: "time_windows"; readonly intervalMs: number }
  | { readonly kind: "count_windows"; readonly requests: number }
  /** One window of exactly so many requests. */
  | { readonly kind: "fixed"; readonly requests: number };
