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
  readonly allowHttp: boolean;
  readonly httpAddress: string;
  readonly httpPort: number;
  readonly httpMaxInputSize: number;
  readonly restrictedApis: readonly {
    readonly categories: readonly string[];
    readonly header: string;
    readonly value: string;
  }[];
  readonly allowMetrics: boolean;
  readonly allowCpuMetrics: boolean;
  readonly metricsAddress: string;
  readonly metricsPort: number;
  readonly metricsIntervalMs: number;
  readonly logInfo: boolean;
  readonly logWarning: boolean;
  readonly logError: boolean;
  readonly logVerbose: number;
  readonly stateDirectory: string | undefined;
  readonly managementKey: string | undefined;
  readonly allowAnonymousManagement: boolean;
  /** Host names beside the loopback ones under which browsers and clients may address the server. */
  readonly allowedHosts: readonly string[];
  readonly runnerMemoryLimitBytes: number | undefined;
  readonly executionTimeoutSecs: number;
  /** Options of Triton's that were given, are understood, and have no effect here yet. */
  readonly notHonoured: readonly string[];
}
