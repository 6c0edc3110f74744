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
  /** Loaded and never given a request. */
  readonly passive: boolean;
  /** Batches it has now, one of which may wait behind the other. */
  readonly inFlight: number;
  /** Time it has been executing since it was started. */
  readonly busySeconds: number;
  /** Share of the last five to ten seconds it was executing, 0 to 1. */
  readonly busyShare: number;
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
  /** Requests that wait in its queue. */
  readonly queued: number;
  /** Nodes of its graph by execution provider, where others than the processor were asked for. */
  readonly placement?: Readonly<Record<string, number>>;
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
  /** How requests that name no version are divided; null = they go to the highest READY one. */
  readonly traffic?: TrafficStatus | null;
  /** Loads in progress and in the queue. */
  readonly loading?: readonly LoadInProgress[];
  /** Whose wish it is that the model is loaded: what only requests want is unloaded when they no longer come. */
  readonly wantedBy?: "nobody" | "person" | "ensemble" | "request";
  /** The model it is a candidate of; null for a model of its own. */
  readonly candidateOf?: string | null;
}

/** How a model's requests without a version are divided between its versions, and candidates of it. */
export interface Traffic {
  /** By version, or `candidate/version`: whole numbers from 0, at least one above 0. Those of candidates end with a restart. */
  readonly weights: Readonly<Record<string, number>>;
  /** Requests with the same value in this header go to the same version. */
  readonly stickyHeader?: string;
}

export interface TrafficStatus extends Traffic {
  /** The part of these requests that each of them gets at this moment; adds up to 1. */
  readonly shares: Readonly<Record<string, number>>;
}

export interface TrafficChange {
  readonly traffic: TrafficStatus | null;
  readonly warnings: readonly ModelWarning[];
}

export type LoadStage = "queued" | "reading" | "memory" | "starting" | "loading" | "instances" | "warm-up";

export interface LoadInProgress {
  /** Empty as long as the versions are not known. */
  readonly version: string;
  readonly stage: LoadStage;
  /** Unix milliseconds at which the stage began. */
  readonly sinceMs: number;
  /** Milliseconds since the load was asked for. */
  readonly elapsedMs: number;
}

/** Something that happened to a model. */
export interface ServerEvent {
  /** Grows with every event, over restarts of the server too. */
  readonly id: number;
  /** Unix milliseconds. */
  readonly atMs: number;
  readonly kind:
    | "load-started"
    | "stage"
    | "load-finished"
    | "load-failed"
    | "load-cancelled"
    | "unloaded"
    | "evicted"
    | "traffic-changed"
    | "runner-ended"
    | "runner-restarted"
    | "runner-restart-failed"
    | "instance-drained"
    | "instance-resumed"
    | "instance-restarted"
    | "instance-restart-failed";
  readonly model: string;
  /** Empty where the event is about the whole model. */
  readonly version: string;
  /** Why; empty where there is nothing to say. */
  readonly reason: string;
  /** Of `stage`. */
  readonly stage?: LoadStage;
  /** Of `load-finished`: versions that take requests now. */
  readonly versions?: readonly string[];
  /** Of `load-finished`: how long it took. */
  readonly seconds?: number;
  /** Of `instance-…`: its name. */
  readonly instance?: string;
}

/** Time of one operator type on one execution provider, over all runs of a profile. */
export interface ProfiledOperator {
  readonly operator: string;
  /** Such as `CPUExecutionProvider`. */
  readonly provider: string;
  readonly calls: number;
  readonly totalUs: number;
}

/** Where a model's time went while it was profiled. */
export interface ModelProfile {
  /** Names the trace, for as long as the server keeps it. */
  readonly id: string;
  readonly model: string;
  readonly version: string;
  readonly seconds: number;
  /** Executions that were measured; each may have been a batch of requests. */
  readonly runs: number;
  /** Of the executions as a whole, microseconds. */
  readonly totalUs: number;
  /** The costliest first. */
  readonly operators: readonly ProfiledOperator[];
  /** The nodes that took most, at most twenty. */
  readonly nodes: readonly (ProfiledOperator & { readonly node: string })[];
  /** What to do when it says little. */
  readonly note?: string;
}

export interface ProfileRequest {
  /** Up to 60; 5 when absent. */
  readonly seconds?: number | undefined;
  /** The version that answers requests without one, when absent. */
  readonly version?: string | undefined;
}

/** An event of a trace in Chrome's format, which Perfetto and chrome://tracing show. */
export type TraceEvent = Readonly<Record<string, unknown>>;

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
  /** 0 = it has none. */
  readonly grpcPort?: number;
  readonly metricsPort: number;
  /** Readiness says no, so that balancers send nothing more; what comes is answered as before. Ends with the process. */
  readonly draining?: boolean;
}

export type { GpuReading, NodeReading, SecondBucket, SeriesBucket } from "@nereid/telemetry";
