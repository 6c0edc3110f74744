import type {
  SearchOptions,
  SearchSpace,
  TunedModel,
  TuningCheckpoint,
  TuningConfig,
  TuningGuard,
  TuningMeasurement,
  TuningProbe,
  TuningProgress,
  TuningSkip,
  TuningSpec,
} from "@nereid/perf";

/** Where configurations are tried: each as a model of its own, while what is served stays as it is. */
export interface VariantHost {
  /** Loads a configuration and answers the name to send requests to. Throws what the server says. */
  add(config: TuningConfig): Promise<string>;
  /** Lets what was loaded live on, where it ends by itself after a time; loads it again where it has ended all the same. */
  renew?(config: TuningConfig): Promise<"lives-on" | "loaded">;
  /** Unloads it; nothing happens when it is gone already. */
  remove(config: TuningConfig): Promise<void>;
}

export interface MeasureOrder {
  /** Name of the model that gets the load. */
  readonly model: string;
  readonly load: TuningSpec["load"]["kind"];
  readonly level: number;
  readonly requestBatch: number;
  readonly seconds: number;
  /** The model was loaded for this measurement: its process is slow for its first thousands of requests, and warms up first. */
  readonly fresh: boolean;
  /** Ends it early; what came of it is of no use then. */
  readonly signal: AbortSignal;
}

export interface MeasuredLoad {
  readonly measurement: Omit<TuningMeasurement, "liveP99Ms" | "times">;
  readonly executions: TuningProbe["executions"];
  /** Processor time of the generator for one request, microseconds. */
  readonly generatorUs: number | null;
}

/** Puts load on a model and says how it went. */
export interface Measurer {
  measure(order: MeasureOrder): Promise<MeasuredLoad>;
}

/** How the served model answered in a second. */
export interface LiveSecond {
  readonly p99Ms: number;
  readonly requests: number;
  /** Of these, how many took longer than so many milliseconds. */
  readonly later: (ms: number) => number;
}

/** Tells of the served model each second. */
export interface LiveWatch {
  /** `null`: nothing came in that second. Returns what ends it. */
  watch(onSecond: (second: LiveSecond | null) => void): () => void;
}

/** What a tuning needs of the world. */
export interface TuningDeps {
  readonly model: TunedModel;
  readonly host: VariantHost;
  readonly measurer: Measurer;
  readonly live: LiveWatch | undefined;
  /** Why no measurement may begin now; waits a while for it to pass. */
  readonly machineAllows: (guard: TuningGuard) => Promise<TuningSkip | undefined>;
  /** Processors of the machine on which the server and this load run that others leave free, as far as can be told. */
  readonly freeProcessors: () => Promise<number>;
  readonly nowMs: () => number;
  /** Resolves after so many milliseconds, or when the signal aborts. */
  readonly pause: (ms: number) => Promise<void>;
  /** No new measurement begins; the one under way is finished. */
  readonly stopAsked: () => boolean;
  /** What is under way ends too. */
  readonly signal: AbortSignal;
  readonly progress: (progress: TuningProgress) => void;
  readonly checkpoint: (checkpoint: TuningCheckpoint) => void;
}

export interface TuningPlan {
  readonly spec: TuningSpec;
  readonly space: SearchSpace;
  readonly search: SearchOptions;
  /** What an earlier run measured; used where it is of the same model, configuration and way to measure. */
  readonly checkpoint: TuningCheckpoint | null;
  /** When requests came, for recorded loads: milliseconds from the first. */
  readonly offsetsMs: readonly number[];
}
