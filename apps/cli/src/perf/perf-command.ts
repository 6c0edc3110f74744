import type { GoodputLimits, LevelPlan, Measurement } from "@nereid/perf";
import type { ParameterValue } from "@nereid/protocol";

/** How load is made. */
export type LoadChoice =
  | { readonly kind: "concurrency" }
  | {
      readonly kind: "rate";
      readonly distribution: "constant" | "poisson" | "bursts";
      readonly burstSize: number;
    }
  | { readonly kind: "intervals"; readonly file: string }
  | { readonly kind: "recorded"; readonly file: string };

export type InputChoice =
  | { readonly kind: "zero" | "random" }
  /** Files of requests, or one directory of tensors. */
  | { readonly kind: "paths"; readonly paths: readonly string[] };

/** What `nereid perf` was asked to measure. */
export interface PerfCommand {
  readonly model: string;
  readonly version: string;
  readonly batch: number;
  readonly protocol: "http" | "grpc";
  readonly host: string;
  readonly port: number;
  readonly serviceKind: "triton" | "openai";
  readonly endpoint: string;
  readonly streaming: boolean;
  readonly asynchronous: boolean | undefined;
  readonly verbose: boolean;
  readonly load: LoadChoice;
  readonly levels: LevelPlan;
  readonly latencyLimitMs: number;
  readonly measurement: Measurement;
  readonly tolerance: number;
  readonly maxTrials: number;
  readonly percentile: number | undefined;
  readonly warmUpRequests: number;
  readonly input: InputChoice;
  readonly shapes: ReadonlyMap<string, readonly number[]>;
  readonly stringData: string | undefined;
  readonly stringLength: number;
  readonly sharedMemory: boolean;
  readonly outputSharedMemoryBytes: number;
  readonly sequences: {
    /** Undefined = not said. */
    readonly length: number | undefined;
    readonly variation: number;
    readonly firstId: number;
    readonly endId: number | undefined;
    readonly concurrent: number;
  };
  readonly headers: Readonly<Record<string, string>>;
  readonly parameters: ReadonlyMap<string, ParameterValue>;
  readonly jsonInput: boolean;
  readonly jsonOutput: boolean;
  readonly compression: "none" | "gzip" | "deflate";
  readonly csvFile: string | undefined;
  readonly verboseCsv: boolean;
  readonly exportFile: string | undefined;
  readonly metrics: { readonly url: string; readonly intervalMs: number } | undefined;
  /** Undefined = one, more when it is the bottleneck. */
  readonly processes: number | undefined;
  readonly seed: number;
  readonly goodput: GoodputLimits | undefined;
}
