/** What a tuning is asked: plain JSON, without undefined, so that it can stand in files, databases and messages. */

/** How the space is searched: ranked by the simulator, everything, by climbing, or by a sampling optimiser. */
export const TUNING_MODES = ["simulated", "brute", "quick", "optimiser"] as const;
export type TuningMode = (typeof TUNING_MODES)[number];

/** What can be wanted or limited, named as Model Analyzer does; `goodput` is ours. */
export const TUNING_METRICS = [
  "perf_throughput",
  "goodput",
  "perf_latency_avg",
  "perf_latency_p90",
  "perf_latency_p95",
  "perf_latency_p99",
  "gpu_used_memory",
  "gpu_utilization",
  "gpu_power_usage",
  "cpu_used_ram",
  "cpu_used_share",
] as const;
export type TuningMetric = (typeof TUNING_METRICS)[number];

/** Parameters of a model's configuration that are searched. */
export const SETTING_PARAMETERS = [
  "instances",
  "maxBatchSize",
  "queueDelayUs",
  "preferred",
  "threads",
  "accelerator",
] as const;
export type SettingParameter = (typeof SETTING_PARAMETERS)[number];
/** What `importance` speaks of: a parameter of the configuration, or the load. */
export type TuningParameter = SettingParameter | "load" | "requestBatch";

/** One choice of the parameters. */
export interface TuningSetting {
  readonly instances: number;
  /** 0 = the model does not batch. */
  readonly maxBatchSize: number;
  /** Microseconds a request may wait for company; null = no dynamic batching. */
  readonly queueDelayUs: number | null;
  /** Sizes worth sending at once, ascending; mostly empty. */
  readonly preferred: readonly number[];
  /** Threads of one execution; null = as the model is configured. */
  readonly threads: number | null;
  /** An execution accelerator, e.g. `tensorrt`; null = as the model is configured. */
  readonly accelerator: string | null;
}

/** JSON as it stands in a configuration. */
export type TuningJson =
  | string
  | number
  | boolean
  | null
  | readonly TuningJson[]
  | { readonly [name: string]: TuningJson };

/** A configuration that can be tried: named `<model>_config_<number>`, or `<model>_config_default` for the present one. */
export interface TuningConfig {
  readonly id: string;
  readonly setting: TuningSetting;
  /** Top-level fields of the model configuration that replace those of the present one; empty for the present one. */
  readonly fields: { readonly [name: string]: TuningJson };
}

export type TuningLoad =
  /** Requests in flight. */
  | { readonly kind: "concurrency"; readonly levels: readonly number[] }
  /** Requests a second at random moments, whatever became of earlier ones. */
  | { readonly kind: "rate"; readonly levels: readonly number[] }
  /** Requests as they came once; a level is how many times as fast. */
  | { readonly kind: "recorded"; readonly source: RecordedArrivals; readonly levels: readonly number[] };

export type RecordedArrivals =
  /** Those that came to the served model in the last seconds. */
  | { readonly kind: "server"; readonly seconds: number }
  /** Milliseconds from the first. */
  | { readonly kind: "given"; readonly offsetsMs: readonly number[] };

/** What is tried for each parameter; null in a list = as configured. Combinations that no model can have are left out. */
export interface TuningSpace {
  readonly instances: readonly number[];
  readonly maxBatchSizes: readonly number[];
  readonly queueDelaysUs: readonly (number | null)[];
  readonly preferred: readonly (readonly number[])[];
  readonly threads: readonly (number | null)[];
  readonly accelerators: readonly (string | null)[];
}

export interface TuningObjective {
  readonly metric: TuningMetric;
  /** Relative to those of the others, above 0. */
  readonly weight: number;
}

/** A limit: at least, or at most. Latencies here in milliseconds, memory in megabytes, shares 0 to 1. */
export interface TuningConstraint {
  readonly metric: TuningMetric;
  readonly min: number | null;
  readonly max: number | null;
}

/** What stops a measurement before it hurts what is served. */
export interface TuningGuard {
  /** p99 of the served model in milliseconds above which the load pauses; null = not watched. */
  readonly liveP99Ms: number | null;
  /** Megabytes of memory that must stay free on this machine. */
  readonly freeMemoryMb: number;
  /** Share of this machine's processors, 0 to 1, above which no measurement begins. */
  readonly busyShare: number;
}

export interface TuningBudget {
  /** Most points that are measured, probes included; null = as many as the mode wants. */
  readonly measurements: number | null;
  /** Seconds after which no new measurement begins; null = no limit. */
  readonly seconds: number | null;
}

export interface TuningSpec {
  readonly model: string;
  /** Null = the server's choice. */
  readonly version: string | null;
  readonly protocol: "http" | "grpc";
  readonly load: TuningLoad;
  /** Items of a request. */
  readonly requestBatches: readonly number[];
  readonly space: TuningSpace;
  readonly mode: TuningMode;
  readonly objectives: readonly TuningObjective[];
  readonly constraints: readonly TuningConstraint[];
  /** An answer within so many milliseconds is good; null = every answer is. */
  readonly goodWithinMs: number | null;
  readonly budget: TuningBudget;
  /** Seconds of load for one measurement. */
  readonly measureSeconds: number;
  readonly guard: TuningGuard;
  readonly shapes: { readonly [input: string]: readonly number[] };
  /** The same seed, the same order and arrivals. */
  readonly seed: number;
}
