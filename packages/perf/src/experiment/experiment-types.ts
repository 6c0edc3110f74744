/**
 * What an experiment is asked, tells while it runs, keeps and answers: plain JSON. One change of a configuration is compared with the
 * configuration as it is, in windows that take turns, under the same load.
 */

/** What a hypothesis speaks of. */
export const EXPERIMENT_METRICS = ["throughput", "goodput", "p50", "p99"] as const;
export type ExperimentMetric = (typeof EXPERIMENT_METRICS)[number];

/** `a` has the present configuration, `b` the changed one. */
export type ExperimentSide = "a" | "b";

export interface ExperimentSpec {
  readonly model: string;
  /** Null = the server's choice. */
  readonly version: string | null;
  /** What is believed, and why, in a person's words. */
  readonly hypothesis: string;
  readonly protocol: "http" | "grpc";
  readonly load:
    | { readonly kind: "concurrency"; readonly level: number }
    /** Requests a second at random moments. */
    | { readonly kind: "rate"; readonly level: number };
  /** Items of a request. */
  readonly requestBatch: number;
  /** Of inputs whose dimensions vary, without the batch. */
  readonly shapes: { readonly [input: string]: readonly number[] };
  /** Seconds that are measured, and that go before them unmeasured, in every window. */
  readonly windowSeconds: number;
  readonly warmUpSeconds: number;
  /** Windows of each side. */
  readonly pairs: number;
  readonly metric: ExperimentMetric;
  /** An answer within so many milliseconds is good; null = every answer is. */
  readonly goodWithinMs: number | null;
  /** A smaller difference is none that matters; a share, such as 0.02. */
  readonly leastEffect: number;
  /** config.pbtxt of both sides, and the digest of the file that `a` was read from. */
  readonly baseline: { readonly text: string; readonly digest: string };
  readonly change: { readonly text: string };
}

/** One window: latencies in milliseconds from when requests were due, rates in items a second. */
export interface ExperimentWindow {
  readonly pair: number;
  readonly side: ExperimentSide;
  readonly throughput: number;
  readonly goodput: number;
  readonly p50: number;
  readonly p99: number;
  readonly requests: number;
  /** Share of the requests that failed. */
  readonly failed: number;
  /** Mean milliseconds a request waited and was executed, as the server counts them; null where it does not. */
  readonly queueMs: number | null;
  readonly computeMs: number | null;
  /** Mean items of an execution. */
  readonly meanBatch: number | null;
  readonly warnings: readonly string[];
}

/** A difference of `b` from `a` as a share of `a`, and what it lies between with 95 % confidence. */
export interface ExperimentEffect {
  readonly metric: ExperimentMetric;
  readonly a: number;
  readonly b: number;
  readonly change: number;
  readonly low: number;
  readonly high: number;
}

/** `same`: any difference is smaller than one that matters; `undecided`: more windows are needed. */
export type ExperimentVerdict = "better" | "worse" | "same" | "undecided";

export interface ExperimentProgress {
  readonly says: string;
  /** Done so far, 0 to 1. */
  readonly share: number;
  readonly windows: readonly ExperimentWindow[];
}

/** With the same spec an experiment goes on from here. */
export interface ExperimentCheckpoint {
  /** Which version of the model is compared; absent in those of before it was kept. */
  readonly version?: string;
  readonly windows: readonly ExperimentWindow[];
}

export interface ExperimentResult {
  readonly windows: readonly ExperimentWindow[];
  /** The metric of the hypothesis first. */
  readonly effects: readonly ExperimentEffect[];
  readonly verdict: ExperimentVerdict;
  /** For people; the first is about the hypothesis. */
  readonly sentences: readonly string[];
  /** The first of them. */
  readonly says: string;
}
