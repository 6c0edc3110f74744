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
}

/** All model versions in the second that starts at `t` (Unix seconds); versions without traffic have no row. */
export interface SecondBucket {
  readonly t: number;
  readonly series: readonly SeriesBucket[];
}
