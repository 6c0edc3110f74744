/**
 * What a tuning tells while it runs, keeps and answers: plain JSON, without undefined, so that it can stand in files, databases
 * and messages. All latencies are microseconds, seen by the client from the moment a request was due.
 */
import type { TuningConfig, TuningJson, TuningParameter, TuningSetting, TuningSpec } from "./tuning-spec.ts";

export * from "./tuning-spec.ts";

/** Lowest and highest value the measurement leaves likely (90 %). */
export type Interval = readonly [low: number, high: number];

/** Shares of the requests at which `quantilesUs` stand. */
export const QUANTILES = [
  0, 0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.925, 0.95, 0.96, 0.97, 0.98, 0.985, 0.99,
  0.995, 0.999, 1,
] as const;

/** How a load went, measured or simulated. */
export interface TuningFigures {
  /** Items answered a second. */
  readonly throughput: number;
  /** Items answered a second within `goodWithinMs`; all of them where there is no limit. */
  readonly goodput: number;
  readonly averageUs: number;
  readonly p50Us: number;
  readonly p90Us: number;
  readonly p95Us: number;
  readonly p99Us: number;
  /** At `QUANTILES`: how many answers come within any limit can be read from them, see `goodputWithin`. */
  readonly quantilesUs: readonly number[];
  /** Items of an execution in the mean; null = not known. */
  readonly meanBatch: number | null;
  /** Share of the requests that failed, 0 to 1. */
  readonly failed: number;
}

/** Mean microseconds of a request, as the server counts them; `client` is the wait for the answer. */
export interface TuningPhases {
  readonly queue: number;
  readonly computeInput: number;
  readonly computeInfer: number;
  readonly computeOutput: number;
  readonly client: number;
}

export interface TuningGpu {
  readonly uuid: string;
  readonly usedMb: number;
  /** Percent. */
  readonly utilization: number;
  readonly powerWatts: number;
}

export interface TuningMeasurement extends TuningFigures {
  readonly throughputInterval: Interval;
  readonly goodputInterval: Interval;
  readonly p99Interval: Interval;
  /** Null where the server tells none. */
  readonly phases: TuningPhases | null;
  /** Memory of the candidate's process in megabytes; null = not known. */
  readonly memoryMb: number | null;
  /** Share of all processors of this machine in use, 0 to 1; null = not known. */
  readonly cpuShare: number | null;
  readonly gpus: readonly TuningGpu[];
  /** Whether its windows agreed. */
  readonly stable: boolean;
  /** What a reader must know: a busy generator, late sends. */
  readonly warnings: readonly string[];
  /** Seconds it took, with its pauses. */
  readonly seconds: number;
  /** Highest p99 of the served model meanwhile, milliseconds; null = not watched, or nothing came. */
  readonly liveP99Ms: number | null;
  /** How often the point was measured; the figures are the means. */
  readonly times: number;
}

/** Why a point has no measurement. */
export interface TuningSkip {
  readonly why: string;
  readonly fix: string | null;
}

/** A configuration under one load. */
export interface TuningPoint {
  /** `<config> <level> <requestBatch>`. */
  readonly id: string;
  readonly config: string;
  readonly setting: TuningSetting;
  readonly level: number;
  readonly requestBatch: number;
  /** What the simulator makes of it, corrected by what was measured so far; null where it does not say (other modes, or not yet). */
  readonly simulated: TuningFigures | null;
  readonly measured: TuningMeasurement | null;
  readonly skipped: TuningSkip | null;
  /** Whether the best figures known of it keep all limits; null = nothing is known. */
  readonly passes: boolean | null;
  /** 1 = the best by the best figures known; null = nothing is known. */
  readonly rank: number | null;
}

export type TuningPhase = "preparing" | "probing" | "simulating" | "measuring" | "checking" | "finishing";

export interface TuningProgress {
  readonly version: 1;
  /** One line for people. */
  readonly says: string;
  /** Done so far, 0 to 1, as far as can be told. */
  readonly share: number;
  readonly phase: TuningPhase;
  readonly measurements: number;
  /** Most that will be made; null = not known yet. */
  readonly atMost: number | null;
  /** Points of the whole space. */
  readonly space: number;
  readonly seconds: number;
  /** The point under measurement. */
  readonly now: string | null;
  readonly best: string | null;
  /** Ranked; those measured, and the best of the others: at most 200. */
  readonly points: readonly TuningPoint[];
  readonly live: TuningLive | null;
}

/** How the served model fared meanwhile. */
export interface TuningLive {
  readonly limitMs: number | null;
  /** Highest p99 of a measurement's stretch, milliseconds; null = nothing came. */
  readonly worstP99Ms: number | null;
  /** Stretches in which it was above the limit. */
  readonly above: number;
  /** Times the load paused for it. */
  readonly pauses: number;
}

/** All that was measured: with the same spec a tuning goes on from here. */
export interface TuningCheckpoint {
  readonly version: 1;
  readonly model: string;
  /** Text of what must be the same for the measurements to hold: see `checkpointKey`. */
  readonly key: string;
  readonly seconds: number;
  readonly measured: readonly {
    readonly id: string;
    readonly config: TuningConfig;
    readonly level: number;
    readonly requestBatch: number;
    readonly measurement: TuningMeasurement;
  }[];
  readonly skipped: readonly { readonly id: string; readonly skip: TuningSkip }[];
  readonly probes: readonly TuningProbe[];
  readonly live: TuningLive | null;
}

/** A short measurement that tells what executions and the front cost. */
export interface TuningProbe {
  readonly requestBatch: number;
  readonly concurrency: number;
  readonly setting: TuningSetting;
  /** Executions by size: mean microseconds in the engine, and around it. */
  readonly executions: readonly {
    readonly batchSize: number;
    readonly count: number;
    readonly inferUs: number;
    readonly aroundUs: number;
  }[];
  readonly throughput: number;
  readonly averageUs: number;
  readonly p50Us: number;
  /** At `QUANTILES`. */
  readonly quantilesUs: readonly number[];
  /** Processor time of the generator for one request, microseconds; null = not known. */
  readonly generatorUs: number | null;
  readonly seconds: number;
}

/** How much of the differences between measurements a parameter explains. */
export interface TuningImportance {
  readonly parameter: TuningParameter;
  /** Share of the variance of the objective over all points that were measured or simulated, 0 to 1. */
  readonly share: number;
  /** From resampled measurements (90 %). */
  readonly interval: Interval;
}

/** One line of a configuration before and after. */
export interface TuningDiffLine {
  readonly kind: "same" | "removed" | "added";
  readonly text: string;
}

export interface TuningRecommendation {
  readonly config: string;
  /** The point at which it was best. */
  readonly point: string;
  /** Fields to lay over the present configuration; empty = stay with what there is. */
  readonly fields: { readonly [name: string]: TuningJson };
  /** The whole configuration as config.pbtxt; null = not known. */
  readonly text: string | null;
  readonly diff: readonly TuningDiffLine[];
  /** Sentences for people. */
  readonly why: readonly string[];
  /** How sure it is that no other measured configuration is better, 0 to 1. */
  readonly confidence: number;
}

export interface TuningResult {
  readonly version: 1;
  readonly spec: TuningSpec;
  readonly configs: readonly TuningConfig[];
  /** Ranked: measured ones first. At most 2000. */
  readonly points: readonly TuningPoint[];
  /** Ids of measured points that no other beats in both throughput and p99. */
  readonly pareto: readonly string[];
  readonly importance: readonly TuningImportance[];
  /** Null when no measured point keeps all limits, and `note` says so. */
  readonly recommended: TuningRecommendation | null;
  /** The present configuration at its best level; null = not measured. */
  readonly present: TuningPoint | null;
  /** How far the simulator's last word was from what was measured; null where it was not asked. */
  readonly simulator: {
    readonly points: number;
    /** Medians of the distances, shares of the measured values. */
    readonly throughput: number;
    readonly p99: number;
  } | null;
  readonly live: TuningLive | null;
  readonly measurements: number;
  readonly probes: number;
  readonly space: number;
  readonly seconds: number;
  /** Why it ended. */
  readonly ended: "complete" | "no-better-expected" | "budget" | "stopped";
  readonly note: string | null;
}
