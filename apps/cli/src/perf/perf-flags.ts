/** An option of `nereid perf`. */
export interface PerfFlag {
  readonly names: readonly string[];
  /** What its value is called in the help; absent = it has none. */
  readonly value?: string;
  readonly repeated?: true;
  readonly help: string;
}

/** perf_analyzer's options, and a few of our own behind them. */
export const PERF_FLAGS = {
  model: { names: ["-m", "--model-name"], value: "MODEL", help: "the model; required" },
  version: { names: ["-x", "--model-version"], value: "N", help: "its version (default: the server's choice)" },
  batch: { names: ["-b", "--batch-size"], value: "N", help: "items in a request (default 1)" },
  protocol: { names: ["-i", "--protocol"], value: "http|grpc", help: "how requests are sent (default http)" },
  url: { names: ["-u", "--url"], value: "HOST:PORT", help: "the server (default localhost:8000, gRPC localhost:8001)" },
  asynchronous: { names: ["-a", "--async"], help: "accepted; requests in flight never wait for threads here" },
  synchronous: { names: ["--sync"], help: "accepted; the same" },
  streaming: { names: ["--streaming"], help: "one gRPC stream for each request in flight; openai: server-sent events" },
  verbose: { names: ["-v", "--verbose"], repeated: true, help: "a line for each window" },
  serviceKind: { names: ["--service-kind"], value: "triton|openai", help: "the kind of server (default triton)" },
  endpoint: { names: ["--endpoint"], value: "PATH", help: "path for openai (default v1/chat/completions)" },
  concurrencyRange: {
    names: ["--concurrency-range"],
    value: "S:E:STEP",
    help: "closed loop: requests in flight (default 1:1:1); E 0 = until -l",
  },
  requestRateRange: {
    names: ["--request-rate-range"],
    value: "S:E:STEP",
    help: "open loop: requests a second, sent when due, whatever became of earlier ones",
  },
  rampToKnee: {
    names: ["--ramp-to-knee"],
    value: "S:E:FACTOR",
    help: "open loop: rates from S up by FACTOR until the server no longer keeps up",
  },
  requestDistribution: {
    names: ["--request-distribution"],
    value: "constant|poisson|bursts",
    help: "gaps between requests of a rate (default constant)",
  },
  burstSize: { names: ["--burst-size"], value: "N", help: "requests at once with bursts (default 10)" },
  requestIntervals: {
    names: ["--request-intervals"],
    value: "FILE",
    help: "open loop: gaps in microseconds, one a line, over and over",
  },
  recordedArrivals: {
    names: ["--recorded-arrivals"],
    value: "FILE",
    help: "open loop: times of arrivals in milliseconds, one a line, once",
  },
  binarySearch: { names: ["--binary-search"], help: "look for the highest level within -l, to STEP" },
  latencyThreshold: { names: ["-l", "--latency-threshold"], value: "MS", help: "levels end at this latency" },
  measurementMode: {
    names: ["--measurement-mode"],
    value: "time_windows|count_windows",
    help: "what makes a window (default time_windows)",
  },
  measurementInterval: {
    names: ["-p", "--measurement-interval"],
    value: "MS",
    help: "length of a window (default 5000)",
  },
  measurementRequestCount: {
    names: ["--measurement-request-count"],
    value: "N",
    help: "requests of a window in count_windows (default 50)",
  },
  stabilityPercentage: {
    names: ["-s", "--stability-percentage"],
    value: "PERCENT",
    help: "how far three windows may differ (default 10)",
  },
  maxTrials: { names: ["-r", "--max-trials"], value: "N", help: "windows at most (default 10)" },
  percentile: { names: ["--percentile"], value: "P", help: "the latency that must agree (default -1: the average)" },
  warmupRequestCount: { names: ["--warmup-request-count"], value: "N", help: "requests that do not count, first" },
  requestCount: { names: ["--request-count"], value: "N", help: "send exactly so many, in one window" },
  inputData: {
    names: ["--input-data"],
    value: "zero|random|DIR|FILE",
    repeated: true,
    help: "tensors (default random); a file of requests may be given more than once",
  },
  shape: { names: ["--shape"], value: "NAME:D,D", repeated: true, help: "for inputs with variable dimensions" },
  stringData: { names: ["--string-data"], value: "TEXT", help: "every element of text inputs" },
  stringLength: { names: ["--string-length"], value: "N", help: "letters of random texts (default 128)" },
  sharedMemory: { names: ["--shared-memory"], value: "none|system", help: "tensors outside requests (default none)" },
  outputSharedMemorySize: {
    names: ["--output-shared-memory-size"],
    value: "BYTES",
    help: "for each output of one item (default 102400)",
  },
  sequenceLength: { names: ["--sequence-length"], value: "N", help: "requests of a sequence (default 20)" },
  sequenceLengthVariation: {
    names: ["--sequence-length-variation"],
    value: "PERCENT",
    help: "by how much lengths vary (default 20)",
  },
  sequenceIdRange: {
    names: ["--sequence-id-range"],
    value: "S:E",
    help: "ids of sequences, E excluded (default from 1)",
  },
  serialSequences: {
    names: ["--serial-sequences"],
    help: "accepted; a sequence never has two requests in flight here",
  },
  numOfSequences: {
    names: ["--num-of-sequences"],
    value: "N",
    help: "sequences at a time in an open loop (default 4)",
  },
  header: { names: ["-H", "--header"], value: "NAME:VALUE", repeated: true, help: "a header of every request" },
  requestParameter: {
    names: ["--request-parameter"],
    value: "NAME:VALUE:TYPE",
    repeated: true,
    help: "a parameter of every request; TYPE is bool, int or string",
  },
  inputTensorFormat: { names: ["--input-tensor-format"], value: "binary|json", help: "HTTP only (default binary)" },
  outputTensorFormat: { names: ["--output-tensor-format"], value: "binary|json", help: "HTTP only (default binary)" },
  grpcCompression: {
    names: ["--grpc-compression-algorithm"],
    value: "none|gzip|deflate",
    help: "of gRPC requests (default none)",
  },
  csv: { names: ["-f", "--latency-report-file"], value: "FILE", help: "write the figures as CSV" },
  verboseCsv: { names: ["--verbose-csv"], help: "more columns in it" },
  profileExport: {
    names: ["--profile-export-file"],
    value: "FILE",
    help: "write the timestamps of all requests as JSON",
  },
  collectMetrics: { names: ["--collect-metrics"], help: "read GPU figures of the metrics page meanwhile" },
  metricsUrl: { names: ["--metrics-url"], value: "URL", help: "that page (default localhost:8002/metrics)" },
  metricsInterval: { names: ["--metrics-interval"], value: "MS", help: "how often it is read (default 1000)" },
  maxThreads: { names: ["--max-threads"], value: "N", help: "accepted; see --processes" },
  processes: {
    names: ["--processes"],
    value: "N",
    help: "processes that make load (default: 1, more when it is the bottleneck)",
  },
  randomSeed: { names: ["--random-seed"], value: "N", help: "of random data and arrivals (default 0)" },
  goodput: {
    names: ["--goodput"],
    value: "NAME:MS",
    repeated: true,
    help: "count requests within these: latency; for texts also ttft and itl",
  },
  check: { names: ["--check"], value: "FILE", help: "run a saved scenario and judge it by its thresholds" },
  junit: { names: ["--junit"], value: "FILE", help: "with --check: write the verdict as JUnit XML" },
} as const satisfies Readonly<Record<string, PerfFlag>>;

export type PerfFlagKey = keyof typeof PERF_FLAGS;

const TLS = "use a plain-text port, or a TLS proxy in front of the generator";
const TRACE = "set it on the server: --trace-config, or the trace page of the dashboard";

/** Options of perf_analyzer that there are not here, and what to use. */
export const REFUSED_FLAGS: Readonly<Record<string, string>> = {
  "-t": "use --concurrency-range N",
  "-c": "use --concurrency-range 1:N",
  "-d": "use --concurrency-range 1:0 with -l",
  "-z": "use --input-data zero",
  "--data-directory": "use --input-data DIR",
  "--periodic-concurrency-range": "use --request-rate-range, or --recorded-arrivals with the arrivals you mean",
  "--request-period": "use --request-rate-range, or --recorded-arrivals with the arrivals you mean",
  "--session-concurrency": "use --concurrency-range; a conversation is sent as separate requests",
  "--fixed-schedule": "use --recorded-arrivals FILE with the times in a file",
  "--bls-composing-models": "read the models' own figures with: nereid perf -m THEIR-NAME, or on their pages",
  "--model-signature-name": "it is of TensorFlow Serving; leave it out",
  "--trace-level": TRACE,
  "--trace-rate": TRACE,
  "--trace-count": TRACE,
  "--trace-file": TRACE,
  "--log-frequency": TRACE,
  "--triton-server-directory": "start the server with nereid serve and give its address with -u",
  "--model-repository": "start the server with nereid serve --model-repository and give its address with -u",
  "--ssl-grpc-use-ssl": TLS,
  "--ssl-grpc-root-certifications-file": TLS,
  "--ssl-grpc-private-key-file": TLS,
  "--ssl-grpc-certificate-chain-file": TLS,
  "--ssl-https-verify-peer": TLS,
  "--ssl-https-verify-host": TLS,
  "--ssl-https-ca-certificates-file": TLS,
  "--ssl-https-client-certificate-file": TLS,
  "--ssl-https-client-certificate-type": TLS,
  "--ssl-https-private-key-file": TLS,
  "--ssl-https-private-key-type": TLS,
};
