import type { CacheOptions, HostPolicy, Sandbox, WarmUpBatchSizes } from "@nereid/inference-worker";
import type { ModelDefaults } from "@nereid/model-config";
import type { PythonSettings } from "@nereid/python-runner";
import type { BackendConfig } from "./backend-config.ts";
import type { GrpcOptions, TlsFiles } from "./grpc-options.ts";
import type { LoadingOptions } from "./loading-options.ts";
import type { LogOptions } from "./log-options.ts";
import type { MetricsConfig } from "./metrics-config.ts";
import type { QueueOptions } from "./queue-options.ts";
import type { RateLimitOptions } from "./rate-limit-options.ts";
import type { RestrictedApi } from "./restricted-apis.ts";
import type { TraceOptions } from "./trace-options.ts";

export type ControlMode = "none" | "explicit" | "poll";

/** The server's settings after the command line and the environment were read. */
export interface ServerOptions {
  readonly id: string;
  readonly modelRepositories: readonly string[];
  readonly controlMode: ControlMode;
  /** Models of EXPLICIT mode to load at start; `*` = every model. */
  readonly loadModels: readonly string[];
  readonly pollSecs: number;
  readonly exitOnError: boolean;
  readonly exitTimeoutSecs: number;
  readonly strictReadiness: boolean;
  readonly autoComplete: boolean;
  readonly modelConfigName: string;
  readonly loadThreadCount: number;
  readonly loadRetryCount: number;
  readonly defaultMaxBatchSize: number;
  /** The same model name may stand in several repositories. */
  readonly namespacing: boolean;
  /** `--backend-config` over the `backend_config` of a server configuration file. */
  readonly backendConfig: BackendConfig;
  /** What `backendConfig` says of the backend "python". */
  readonly python: PythonSettings;
  /** `model_config_list` of a server configuration file, by model. */
  readonly modelDefaults: ReadonlyMap<string, ModelDefaults>;
  readonly allowHttp: boolean;
  readonly httpAddress: string;
  readonly httpPort: number;
  readonly httpMaxInputSize: number;
  readonly restrictedApis: readonly RestrictedApi[];
  /** `--http-header-forward-pattern`: request headers whose name it finds become request parameters. */
  readonly httpForwardPattern: RegExp | undefined;
  readonly httpTls: TlsFiles | undefined;
  /** `/v1/…` in the shape of OpenAI's API, on the HTTP port. */
  readonly allowOpenai: boolean;
  readonly allowClientShm: boolean;
  readonly grpc: GrpcOptions;
  readonly trace: TraceOptions;
  readonly log: LogOptions;
  readonly allowMetrics: boolean;
  readonly allowGpuMetrics: boolean;
  readonly metricsConfig: MetricsConfig;
  readonly allowCpuMetrics: boolean;
  readonly metricsAddress: string;
  readonly metricsPort: number;
  readonly metricsIntervalMs: number;
  readonly stateDirectory: string | undefined;
  readonly managementKey: string | undefined;
  readonly allowAnonymousManagement: boolean;
  /** Host names beside the loopback ones under which browsers and clients may address the server. */
  readonly allowedHosts: readonly string[];
  readonly runnerMemoryLimitBytes: number | undefined;
  readonly executionTimeoutSecs: number;
  readonly sandbox: Sandbox;
  readonly loading: LoadingOptions;
  /** Undefined = every request is executed. */
  readonly cache: CacheOptions | undefined;
  /** Undefined = off. */
  readonly rateLimit: RateLimitOptions | undefined;
  readonly hostPolicies: ReadonlyMap<string, HostPolicy>;
  readonly queues: QueueOptions;
  readonly warmUpBatchSizes: WarmUpBatchSizes;
  /** Requests remembered, and one of how many is remembered whatever becomes of it; 0 = none. */
  readonly flights: { readonly records: number; readonly sampleEvery: number };
  /** What was given and is not acted on, or is spelt in an old way: each to be said at start. */
  readonly notices: readonly OptionNotice[];
}

export interface OptionNotice {
  /** With its dashes; or the file it is about. */
  readonly option: string;
  readonly text: string;
}
