/** How a setting's value is written. */
export type KeyKind = "text" | "number" | "flag" | "numbers" | "texts" | "lists" | "structure";

export interface AnalyzeKey {
  readonly kind: KeyKind;
  readonly help: string;
  /** Short option. */
  readonly short?: string;
  /** Only in the file. */
  readonly fileOnly?: true;
}

/** Settings of `nereid analyze`, named as Model Analyzer names them in its file; options are the same with dashes. Ours stand behind. */
export const ANALYZE_KEYS = {
  model_repository: { kind: "text", short: "-m", help: "directory of the models; needed for a Triton server only" },
  profile_models: {
    kind: "structure",
    short: "-n",
    help: "models, with commas between; in the file also with settings of their own",
  },
  checkpoint_directory: { kind: "text", short: "-s", help: "where measurements are kept (default ./checkpoints)" },
  export_path: { kind: "text", short: "-e", help: "where results, reports and plots go (default .)" },
  concurrency: { kind: "numbers", short: "-c", help: "requests in flight: 1,2,4 or START:STOP:STEP" },
  request_rate: { kind: "numbers", help: "requests a second, instead of concurrency" },
  batch_sizes: { kind: "numbers", short: "-b", help: "items of a request (default 1)" },
  client_protocol: { kind: "text", help: "http or grpc (default http)" },
  triton_http_endpoint: { kind: "text", help: "the server (default NEREID_SERVER, else localhost:8000)" },
  triton_grpc_endpoint: { kind: "text", help: "its gRPC port (default localhost:8001)" },
  triton_metrics_url: { kind: "text", help: "its metrics (default http://localhost:8002/metrics), for GPU figures" },
  run_config_search_mode: { kind: "text", help: "simulated (default), brute, quick or optuna" },
  run_config_search_min_concurrency: { kind: "number", help: "least requests in flight (default 1)" },
  run_config_search_max_concurrency: { kind: "number", help: "most requests in flight (default 1024; simulated 128)" },
  run_config_search_min_request_rate: { kind: "number", help: "least requests a second (default 16)" },
  run_config_search_max_request_rate: { kind: "number", help: "most requests a second (default 8192)" },
  run_config_search_min_model_batch_size: { kind: "number", help: "smallest max_batch_size (default 1)" },
  run_config_search_max_model_batch_size: { kind: "number", help: "largest max_batch_size (default 128)" },
  run_config_search_min_instance_count: { kind: "number", help: "least instances (default 1)" },
  run_config_search_max_instance_count: {
    kind: "number",
    help: "most instances (default 5; simulated: the processors)",
  },
  run_config_search_max_binary_search_steps: { kind: "number", help: "loads tried around a limit (default 5)" },
  run_config_search_disable: { kind: "flag", help: "try only what is written" },
  request_rate_search_enable: { kind: "flag", help: "search over request rates instead of concurrency" },
  concurrency_sweep_disable: { kind: "flag", help: "no more loads on the best configurations at the end" },
  min_percentage_of_search_space: { kind: "number", help: "least part of the space optuna tries (default 5)" },
  max_percentage_of_search_space: { kind: "number", help: "largest part of the space optuna tries (default 10)" },
  optuna_early_exit_threshold: { kind: "number", help: "trials without a gain that end optuna (default 10)" },
  num_configs_per_model: { kind: "number", help: "configurations in the summary, and looked at closely (default 3)" },
  duration_seconds: { kind: "number", short: "-d", help: "seconds of load for a measurement (default 3)" },
  objectives: {
    kind: "structure",
    help: "what is wanted: perf_throughput, goodput, perf_latency_p99, …, as name or name:weight",
  },
  constraints: { kind: "structure", fileOnly: true, help: "limits: {perf_latency_p99: {max: 10}}" },
  latency_budget: { kind: "number", help: "most milliseconds of p99" },
  min_throughput: { kind: "number", help: "least answers a second" },
  model_config_parameters: {
    kind: "structure",
    fileOnly: true,
    help: "fields of the configuration with lists of what to try",
  },
  perf_analyzer_flags: {
    kind: "structure",
    fileOnly: true,
    help: "options of nereid perf, e.g. {shape: IN:16, input-data: zero}",
  },
  skip_summary_reports: { kind: "flag", help: "no summary" },
  skip_detailed_reports: { kind: "flag", help: "no detailed reports" },
  reload_model_disable: { kind: "flag", help: "accepted: what is served is never reloaded here" },
  override_output_model_repository: { kind: "flag", help: "accepted: no repository is written here" },
  always_report_gpu_metrics: { kind: "flag", help: "accepted: GPU figures are told where there are any" },
  report_model_configs: { kind: "texts", short: "-r", help: "configurations that `report` tells of" },
  output_formats: { kind: "texts", help: "of reports: pdf, html, csv (default all)" },
  verbose: { kind: "flag", short: "-v", help: "a line for each measurement" },
  quiet: { kind: "flag", short: "-q", help: "no lines but problems and the result" },
  good_within_ms: { kind: "number", help: "an answer later than this is not good; the objective is then goodput" },
  live_p99_ms: { kind: "number", help: "the load pauses while the served model's p99 is above this" },
  free_memory_mb: { kind: "number", help: "memory that must stay free (default 512)" },
  busy_share: { kind: "number", help: "no measurement begins while the processors are busier (default 0.9)" },
  max_measurements: { kind: "number", help: "most measurements, probes included (default: as the mode wants)" },
  max_seconds: { kind: "number", help: "seconds after which no measurement begins" },
  exhaustive: { kind: "flag", help: "brute: measure the whole space, without early exits" },
  queue_delays: { kind: "numbers", help: "max_queue_delay_microseconds to try" },
  preferred_batch_sizes: {
    kind: "lists",
    help: "preferred sizes to try: lists with + between sizes, as in 4+8,16; none for none",
  },
  threads: { kind: "numbers", help: "threads of an execution to try" },
  accelerators: { kind: "texts", help: "execution accelerators to try, as in tensorrt; none = as configured" },
  instance_counts: { kind: "numbers", help: "instances to try" },
  model_batch_sizes: { kind: "numbers", help: "max_batch_size to try" },
  recorded_arrivals: { kind: "text", help: "file of arrival times in milliseconds, one a line: the load as it came" },
  arrival_speeds: { kind: "numbers", help: "how many times as fast (default 1)" },
  normal_priority: { kind: "flag", help: "candidates are not kept behind what is served" },
  seed: { kind: "number", help: "the same seed, the same order and arrivals (default 1)" },
  processors: { kind: "number", help: "processors of the machine the server runs on (default: this one's)" },
} as const satisfies Readonly<Record<string, AnalyzeKey>>;

export type AnalyzeKeyName = keyof typeof ANALYZE_KEYS;

/** Model Analyzer's settings that mean nothing here, and why. */
export const WITHOUT_MEANING: Readonly<Record<string, string>> = {
  output_model_repository_path: "candidates need no repository",
  triton_launch_mode: "the server that runs is used, and nothing of it is restarted",
  triton_docker_image: "no container is started",
  triton_docker_mounts: "no container is started",
  triton_docker_labels: "no container is started",
  triton_docker_shm_size: "no container is started",
  triton_docker_args: "no container is started",
  triton_server_path: "no server is started",
  triton_install_path: "no server is started",
  triton_output_path: "no server is started",
  triton_server_flags: "no server is started",
  triton_server_environment: "no server is started",
  perf_analyzer_path: "the load is made by this program",
  perf_analyzer_timeout: "a measurement ends by itself",
  perf_analyzer_cpu_util: "a generator that is the bottleneck is told of in each measurement",
  perf_analyzer_max_auto_adjusts: "windows are added until they agree",
  perf_output: "use --verbose",
  perf_output_path: "use --verbose",
  client_max_retries: "requests are not repeated",
  monitoring_interval: "figures are taken over each measurement",
  collect_cpu_metrics: "they are always collected",
  gpus: "candidates run where the model runs",
  use_concurrency_formula: "loads are part of the search",
  optuna_min_trials: "use min_percentage_of_search_space",
  optuna_max_trials: "use max_percentage_of_search_space",
  num_top_model_configs: "one model is tuned at a time",
  inference_output_fields: "tables have all columns",
  gpu_output_fields: "tables have all columns",
  server_output_fields: "tables have all columns",
  filename_model_inference: "files have their usual names",
  filename_model_gpu: "files have their usual names",
  filename_server_only: "files have their usual names",
  summarize: "a summary is always told",
  plots: "the usual plots are drawn",
  log_level: "use --verbose or --quiet",
  weighting: "one model is tuned at a time",
  cpu_only: "candidates run where the model runs",
  genai_perf_flags: "text generation is measured by nereid perf",
};

/** What would change the meaning of the result if it were passed over. */
export const NOT_SUPPORTED: Readonly<Record<string, string>> = {
  run_config_profile_models_concurrently_enable: "tune one model after the other, with the others' usual load running",
  bls_composing_models: "tune the models it calls one by one",
  cpu_only_composing_models: "tune the composing models one by one",
  ensemble_composing_models: "tune the composing models one by one",
};
