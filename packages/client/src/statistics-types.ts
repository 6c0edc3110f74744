/** `GET /v2/models[/M[/versions/V]]/stats`. Counts and nanoseconds are JSON numbers. */
export interface StatisticDuration {
  readonly count: number;
  readonly ns: number;
}

export interface InferStatistics {
  readonly success: StatisticDuration;
  readonly fail: StatisticDuration;
  readonly queue: StatisticDuration;
  readonly compute_input: StatisticDuration;
  readonly compute_infer: StatisticDuration;
  readonly compute_output: StatisticDuration;
  readonly cache_hit: StatisticDuration;
  readonly cache_miss: StatisticDuration;
}

export interface BatchStatistics {
  readonly batch_size: number;
  readonly compute_input: StatisticDuration;
  readonly compute_infer: StatisticDuration;
  readonly compute_output: StatisticDuration;
}

export interface ModelStatisticsEntry {
  readonly name: string;
  readonly version: string;
  /** Epoch milliseconds; 0 = never. */
  readonly last_inference: number;
  readonly inference_count: number;
  readonly execution_count: number;
  readonly inference_stats: InferStatistics;
  readonly response_stats: Readonly<Record<string, Readonly<Record<string, StatisticDuration>>>>;
  readonly batch_stats: readonly BatchStatistics[];
  readonly memory_usage: readonly { readonly type: string; readonly id: number; readonly byte_size: number }[];
}

export interface StatisticsAnswer {
  readonly model_stats: readonly ModelStatisticsEntry[];
}
