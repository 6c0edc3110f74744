import { VENDOR_FLAGS } from "./vendor-flags.ts";

export type FlagKind = "text" | "switch" | "boolean" | "whole" | "repeated" | "verbosity";

export interface Flag {
  readonly kind: FlagKind;
  readonly help: string;
  /** Accepted and without effect in this server: why, and what to use instead. Said at start when it is given. */
  readonly noEffect?: string;
  /** Triton has replaced it by the option named here; it still works. */
  readonly deprecated?: string;
}

const on = (kind: FlagKind, help: string): Flag => ({ kind, help });
const old = (kind: FlagKind, help: string, deprecated: string): Flag => ({ kind, help, deprecated });

/** Every command-line option: Triton's, and our own at the end. */
export const FLAGS: Readonly<Record<string, Flag>> = {
  help: on("switch", "print this text"),
  id: on("text", "name in the server metadata (default triton)"),
  "exit-timeout-secs": on("whole", "how long shutdown waits for accepted requests (default 30)"),
  "model-store": on("repeated", "same as --model-repository"),
  "model-repository": on("repeated", "directory of models; repeatable"),
  "exit-on-error": on("boolean", "exit when an initial model fails to load (default true)"),
  "disable-auto-complete-config": on("boolean", "do not complete configurations from the model file (default false)"),
  "strict-readiness": on("boolean", "ready only when every model is (default true)"),
  "model-control-mode": on("text", "none, explicit or poll (default none)"),
  "repository-poll-secs": on("whole", "seconds between polls (default 15)"),
  "load-model": on("repeated", "model to load at start in explicit mode; * = all"),
  "model-config-name": on("text", "use <model>/configs/<name>.pbtxt where it exists"),
  "model-load-thread-count": on("whole", "models loaded side by side (default 4)"),
  "model-load-retry-count": on("whole", "further attempts after a failed load (default 0)"),
  "model-namespacing": on("boolean", "allow the same model name in several repositories (default false)"),
  "backend-config": on("repeated", "[<backend>,]<key>=<value>, such as default-max-batch-size=4"),
  "allow-http": on("boolean", "serve HTTP (default true)"),
  "http-address": on("text", "address of HTTP (default 127.0.0.1)"),
  "http-port": on("whole", "port of HTTP (default 8000)"),
  "http-max-input-size": on("whole", "largest input in bytes (default 67108864)"),
  "http-header-forward-pattern": on(
    "text",
    "regular expression; headers whose name it finds become request parameters (default none)",
  ),
  "http-restricted-api": on(
    "repeated",
    "<api>[,<api>]:<header>=<value>; without a --management-key our own API counts as model-repository",
  ),
  "allow-openai": on("boolean", "serve /v1/… in the shape of OpenAI's API on the HTTP port (default true)"),
  "allow-client-shm": on("boolean", "let clients register shared memory (default false)"),
  "allow-grpc": on("boolean", "serve gRPC (default true)"),
  "grpc-address": on("text", "address of gRPC (default: that of HTTP)"),
  "grpc-port": on("whole", "port of gRPC (default 8001)"),
  "grpc-header-forward-pattern": on("text", "as --http-header-forward-pattern, for gRPC metadata (default none)"),
  "grpc-use-ssl": on("boolean", "serve gRPC over TLS (default false)"),
  "grpc-use-ssl-mutual": on("boolean", "ask gRPC clients for a certificate (default false; implies --grpc-use-ssl)"),
  "grpc-server-cert": on("text", "file of the gRPC server's certificate, PEM"),
  "grpc-server-key": on("text", "file of the gRPC server's private key, PEM"),
  "grpc-root-cert": on("text", "file of the certificate that signs gRPC clients' certificates, PEM"),
  "grpc-infer-response-compression-level": on("text", "none, low, medium or high (default none)"),
  "grpc-keepalive-time": on("whole", "milliseconds without traffic until a ping is sent (default 7200000)"),
  "grpc-keepalive-timeout": on("whole", "milliseconds an answer to a ping may take (default 20000)"),
  "grpc-keepalive-permit-without-calls": on("boolean", "send pings without calls in progress (default false)"),
  "grpc-http2-max-pings-without-data": on("whole", "pings that may be sent without data (default 2)"),
  "grpc-http2-min-recv-ping-interval-without-data": on(
    "whole",
    "least milliseconds between two pings of a client without data (default 300000)",
  ),
  "grpc-http2-max-ping-strikes": on("whole", "bad pings until a connection is closed; 0 = any (default 2)"),
  "grpc-max-connection-age": on("whole", "milliseconds a connection may live (default: no limit)"),
  "grpc-max-connection-age-grace": on("whole", "milliseconds its last calls get after that (default: no limit)"),
  "grpc-max-message-bytes": on("whole", "largest message either way, in bytes (default 2147483647)"),
  "grpc-restricted-protocol": on("repeated", "<api>[,<api>]:<key>=<value>; clients send triton-grpc-protocol-<key>"),
  "allow-metrics": on("boolean", "serve Prometheus metrics (default true)"),
  "allow-gpu-metrics": on("boolean", "include GPU metrics (default true)"),
  "allow-cpu-metrics": on("boolean", "include CPU metrics (default true)"),
  "metrics-address": on("text", "address of metrics (default: that of HTTP)"),
  "metrics-port": on("whole", "port of metrics (default 8002)"),
  "metrics-interval-ms": on("whole", "how often gauges are read (default 2000)"),
  "metrics-config": on(
    "repeated",
    "<key>=<value>: counter_latencies, summary_latencies, histogram_latencies, summary_quantiles; see observability.md",
  ),
  "log-info": on("boolean", "log information (default true)"),
  "log-warning": on("boolean", "log warnings (default true)"),
  "log-error": on("boolean", "log errors (default true)"),
  "log-verbose": on("verbosity", "verbosity, a number or a boolean (default 0)"),
  "log-format": on("text", "form of the lines' time: default or ISO8601 (default default)"),
  "log-file": on("text", "file of the log (default: standard error)"),
  "trace-config": on("repeated", "<key>=<value> or <mode>,<key>=<value>, such as level=TIMESTAMPS"),
  "trace-file": old("text", "file of the traces", "--trace-config=triton,file=<file>"),
  "trace-level": old("repeated", "OFF, TIMESTAMPS or TENSORS", "--trace-config=level=<level>"),
  "trace-rate": old("whole", "one request in so many is traced (default 1000)", "--trace-config=rate=<n>"),
  "trace-count": old("whole", "how many more are traced; -1 = no end (default -1)", "--trace-config=count=<n>"),
  "trace-log-frequency": old(
    "whole",
    "a new trace file after so many traces (default 0)",
    "--trace-config=triton,log-frequency=<n>",
  ),
  "cache-config": on(
    "repeated",
    "response cache: local,size=<bytes>, or redis,<key>=<value> with host, port, username, password, db, tls, ttl (seconds), timeout_ms, prefix; TRITONCACHE_REDIS_USERNAME and TRITONCACHE_REDIS_PASSWORD are read, too (default: none)",
  ),
  "response-cache-byte-size": old("whole", "size of the response cache", "--cache-config=local,size=<n>"),
  "rate-limit": on(
    "text",
    "execution_count: instances execute while the resources they name are free; or off (default off)",
  ),
  "rate-limit-resource": on(
    "repeated",
    "<name>:<count>[:<device>]: how much there is of a resource (default: the most that one instance needs)",
  ),
  "host-policy": on(
    "repeated",
    "<name>,cpu-cores=<first>-<last> or <name>,numa-node=<n>: cores of the runners of instances with this policy (cpu, gpu_<id> or model where a group names none)",
  ),
  "strict-model-config": old(
    "boolean",
    "true: do not complete configurations from the model file",
    "--disable-auto-complete-config",
  ),
  ...VENDOR_FLAGS,
  "http-use-ssl": on("boolean", "serve HTTP over TLS (default false)"),
  "http-use-ssl-mutual": on("boolean", "ask HTTP clients for a certificate (default false; implies --http-use-ssl)"),
  "http-server-cert": on("text", "file of the HTTP server's certificate, PEM"),
  "http-server-key": on("text", "file of the HTTP server's private key, PEM"),
  "http-root-cert": on("text", "file of the certificate that signs HTTP clients' certificates, PEM"),
  "server-config": on("text", "file with model_config_list and backend_config (default: config.pbtxt of a repository)"),
  "access-log": on("boolean", "log one line for every request (default false)"),
  "state-dir": on("text", "directory of the journal of loaded models; none = nothing is remembered"),
  "management-key": on("text", "key that repository and management calls must carry as a bearer token"),
  "allow-anonymous-management": on(
    "boolean",
    "allow them without a key although the server is bound wider than loopback",
  ),
  "allowed-host": on("repeated", "further Host name to answer to"),
  "runner-memory-limit-bytes": on("whole", "largest memory of one runner process (default: 80 % of the machine)"),
  "execution-timeout-secs": on("whole", "end a runner whose execution takes longer (default 300, 0 = never)"),
  "runner-user": on("text", "uid[:gid] that models run as (the server must be root; default: the server's own)"),
  "runner-network": on("text", "none: models have no network; or shared (default shared)"),
  "load-on-demand": on("boolean", "explicit mode: a request loads its model when that is not loaded (default false)"),
  "load-on-demand-wait-secs": on("whole", "how long such a request waits for the load (default 60)"),
  "load-on-demand-idle-secs": on(
    "whole",
    "a model loaded so is unloaded after so long without a request (default 300)",
  ),
  "model-memory-budget-bytes": on("whole", "most memory of all loaded models together (default: what the machine has)"),
  "load-priority": on(
    "text",
    "low: loading stands back behind serving; gentle: it runs a twentieth of the time while others serve; or normal (default low)",
  ),
  "warm-up-batch-sizes": on(
    "text",
    "execute zeros in batches of these sizes before a model serves: off, powers (of two, and the largest) or all (default off; a model's parameter warm_up_batch_sizes goes before it)",
  ),
  "queue-max-requests": on("whole", "requests that may wait for one model (default 0 = any number)"),
  "queue-max-bytes": on("whole", "bytes of inputs that may wait for one model (default 0 = any number)"),
  "queue-max-wait-ms": on("whole", "refuse a request whose predicted wait is longer (default 0 = never)"),
  "overload-status": on("text", "HTTP status of a request that these limits refuse: 503 or 429 (default 503)"),
  "flight-records": on("whole", "sampled, slow and failed requests that are remembered (default 4096, 0 = none)"),
  "flight-sample": on("whole", "one of so many requests is remembered whatever becomes of it (default 100, 0 = none)"),
};
