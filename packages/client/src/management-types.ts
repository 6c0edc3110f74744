/** Wire types of the data plane's management API (`/nereid/v1/…` on the V2 HTTP port). JSON; bytes are numbers. */

export type VersionState = "UNKNOWN" | "READY" | "UNAVAILABLE" | "LOADING" | "UNLOADING";

/** Resident memory of a runner process over its life, in bytes; undefined where that moment has not come yet. */
export interface MemoryLedger {
  readonly beforeBytes?: number;
  readonly loadedBytes?: number;
  readonly peakBytes?: number;
  readonly currentBytes?: number;
}

export interface RunnerStatus {
  readonly pid: number;
  readonly restarts: number;
  readonly memory: MemoryLedger;
}

export interface InstanceStatus {
  readonly name: string;
  readonly kind: "KIND_CPU" | "KIND_GPU" | "KIND_MODEL";
  readonly device: number;
  readonly busy: boolean;
  readonly executions: number;
}

export interface VersionStatus {
  readonly version: string;
  readonly state: VersionState;
  /** Why the state is what it is; empty when there is nothing to say. */
  readonly reason: string;
  /** READY and its runner answers: what the model-ready probe says. */
  readonly ready: boolean;
  /** Requests accepted and not yet executing. */
  readonly pending: number;
  readonly instances: readonly InstanceStatus[];
  readonly runner?: RunnerStatus;
  readonly loadSeconds?: number;
}

export interface ModelWarning {
  readonly code: string;
  readonly message: string;
  readonly path?: string;
}

export interface ModelStatus {
  readonly name: string;
  /** Folder exists in a repository now. */
  readonly inRepository: boolean;
  readonly platform: string;
  readonly backend: string;
  readonly maxBatchSize: number;
  readonly scheduler: "default" | "dynamic" | "sequence" | "ensemble" | "unknown";
  readonly versions: readonly VersionStatus[];
  /** Fields accepted but not honoured, oversubscription, and the like. */
  readonly warnings: readonly ModelWarning[];
  /** Versions chosen by hand instead of by the version policy; null when the policy decides. */
  readonly pinned: readonly string[] | null;
  /** Text of the last failed load, empty when the last load succeeded. */
  readonly lastLoadError: string;
}

/** Something a runner process did by itself. */
export interface RunnerEvent {
  /** Unix milliseconds. */
  readonly atMs: number;
  readonly model: string;
  readonly version: string;
  readonly kind: "ended" | "restarted" | "restart-failed";
  /** Why it ended or did not come back; empty for one that did. */
  readonly reason: string;
}

export interface ServerStatus {
  readonly name: string;
  readonly version: string;
  readonly ready: boolean;
  readonly controlMode: "none" | "explicit" | "poll";
  readonly repositories: readonly string[];
  readonly startedAtMs: number;
  readonly pid: number;
  readonly rssBytes: number;
  readonly cores: number;
  readonly httpPort: number;
  readonly metricsPort: number;
}

export type { SecondBucket, SeriesBucket } from "@nereid/telemetry";
