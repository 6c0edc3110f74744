/** Cumulative count and nanoseconds of one kind of event. */
export interface StatisticDuration {
  readonly count: number;
  readonly ns: number;
}

/** One entry of `model_stats` of the statistics extension; field order is Triton's (metrics.md §3). */
export interface ModelStatisticsJson {
  readonly name: string;
  readonly version: string;
  readonly last_inference: number;
  readonly inference_count: number;
  readonly execution_count: number;
  readonly inference_stats: {
    readonly success: StatisticDuration;
    readonly fail: StatisticDuration;
    readonly queue: StatisticDuration;
    readonly compute_input: StatisticDuration;
    readonly compute_infer: StatisticDuration;
    readonly compute_output: StatisticDuration;
    readonly cache_hit: StatisticDuration;
    readonly cache_miss: StatisticDuration;
  };
  readonly response_stats: Readonly<Record<string, Readonly<Record<string, StatisticDuration>>>>;
  readonly batch_stats: readonly {
    readonly batch_size: number;
    readonly compute_input: StatisticDuration;
    readonly compute_infer: StatisticDuration;
    readonly compute_output: StatisticDuration;
  }[];
  readonly memory_usage: readonly MemoryUsage[];
}

/** Memory a backend reports for a loaded model version. */
export interface MemoryUsage {
  readonly type: "CPU" | "CPU_PINNED" | "GPU";
  readonly id: number;
  readonly byte_size: number;
}
