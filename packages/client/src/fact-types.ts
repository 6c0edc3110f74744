/** Wire types of what the data plane remembers about batches, shapes, memory and lines of a model. JSON; bytes are numbers. */

export type InstanceAction = "drain" | "resume" | "restart";

/** `draining`: gets no batch and finishes what it has; `down`: its restart failed. */
export type InstancePhase = "serving" | "draining" | "drained" | "restarting" | "down";

/** What is asked of one instance. */
export interface InstanceOrder {
  readonly action: InstanceAction;
  /** Its number. */
  readonly index: number;
  /** Needed where several versions are served. */
  readonly version?: string | undefined;
  /** Also where no other instance would serve: requests then wait in the queue. */
  readonly force?: boolean | undefined;
  /** Of a restart: how long its batch may take to end before it fails; default 30 s. */
  readonly deadlineMs?: number | undefined;
}

export interface OperatedInstance {
  readonly version: string;
  readonly instance: InstanceFacts;
}

/** One instance of a model version. */
export interface InstanceFacts {
  /** Number among those of the version, from 0. */
  readonly index: number;
  readonly phase: InstancePhase;
  readonly name: string;
  readonly kind: "KIND_CPU" | "KIND_GPU" | "KIND_MODEL";
  readonly device: number;
  /** Loaded and never given a request. */
  readonly passive: boolean;
  readonly executions: number;
  /** Batches it has now, one of which may wait behind the other. */
  readonly inFlight: number;
  readonly busySeconds: number;
  /** Share of the last 10 and 60 s it was executing, 0…1; of its life where that is shorter. */
  readonly busyShare10: number;
  readonly busyShare60: number;
}

/** What would be simulated; what is left out is as it is. */
export interface SimulationQuestion {
  readonly version?: string | undefined;
  /** How far back the requests go; default 300. */
  readonly seconds?: number | undefined;
  readonly instances?: number | undefined;
  readonly maxBatchSize?: number | undefined;
  readonly maxQueueDelayUs?: number | undefined;
  /** Sizes with commas between them; empty = the largest. */
  readonly preferred?: string | undefined;
}

/** How a span went, measured or simulated. */
export interface SimulationFigures {
  readonly p50Ns: number | null;
  readonly p99Ns: number | null;
  readonly requestsPerSecond: number;
  readonly itemsPerSecond: number;
  readonly meanBatch: number | null;
  readonly busy: number;
  /** Refused, expired, cancelled, or still under way. */
  readonly unanswered: number;
}

export interface SimulationSetting {
  readonly instances: number;
  readonly maxBatchSize: number;
  readonly preferredBatchSizes: readonly number[];
  readonly maxQueueDelayUs: number;
}

/** When the requests of the last seconds came. */
export interface Arrivals {
  readonly version: string;
  /** False where more came than is kept: only the newest are here. */
  readonly isWhole: boolean;
  /** Milliseconds from the first, ascending. */
  readonly arrivalsMs: readonly number[];
  /** Items of each. */
  readonly batchSizes: readonly number[];
}

/** What would have become of the requests that came. */
export interface Simulation {
  readonly version: string;
  readonly arrivals: number;
  /** False where more came than is kept: only the newest were simulated. */
  readonly isWhole: boolean;
  /** From the first request to the last. */
  readonly spanSeconds: number;
  readonly setting: { readonly present: SimulationSetting; readonly proposed: SimulationSetting };
  readonly measured: SimulationFigures;
  /** The simulator's word on the setting as it is: its distance from `measured` tells how good it is. */
  readonly present: SimulationFigures;
  readonly proposed: SimulationFigures;
  /** Mean time of executions by size: `recent` in the span, `load` since the load. */
  readonly curve: readonly {
    readonly batchSize: number;
    readonly ns: number;
    readonly executions: number;
    readonly source: "recent" | "load";
  }[];
  /** Sizes in the proposed setting that were never measured. */
  readonly unmeasured: readonly {
    readonly batchSize: number;
    readonly batches: number;
    readonly kind: "between" | "beyond";
  }[];
  /** Requests with more items than a proposed batch may have; they were left out. */
  readonly tooLarge: number;
}

export interface QueuePolicyFacts {
  /** 0 = no limit. */
  readonly maxQueueSize: number;
  /** Microseconds; 0 = none. */
  readonly timeoutUs: number;
  readonly allowTimeoutOverride: boolean;
  readonly timeoutAction: "REJECT" | "DELAY";
}

/** Requests of one priority level that were not executed, since the load. */
export interface PriorityRefusals {
  /** 0 = the model has no levels. */
  readonly level: number;
  readonly rejected: number;
  readonly timedOut: number;
  readonly cancelled: number;
  readonly other: number;
}

/** How the batches of one served version came about, since its load. */
export interface VersionBatching {
  readonly version: string;
  readonly scheduler: "default" | "dynamic" | "sequence" | "ensemble";
  readonly maxBatchSize: number;
  readonly preferredBatchSizes: readonly number[];
  /** Microseconds. */
  readonly maxQueueDelayUs: number;
  /** 0 = priorities are ignored. */
  readonly priorityLevels: number;
  readonly defaultPolicy: QueuePolicyFacts;
  /** Of levels that have one of their own. */
  readonly policies: readonly (QueuePolicyFacts & { readonly level: number })[];
  readonly executions: number;
  readonly inferences: number;
  /** Executions by batch size, ascending. */
  readonly batchSizes: readonly (readonly [size: number, executions: number])[];
  /** Batches by what closed them: full, preferred, no-delay, delay-over, deadline-near, other-shape, next-too-large, single, sequence-slots. */
  readonly closed: Readonly<Record<string, number>>;
  /** Time from the queue to the start of the batch; `[latency bucket, requests]`. */
  readonly wait: readonly (readonly [number, number])[];
  readonly refusals: readonly PriorityRefusals[];
  readonly pending: number;
  readonly instances: readonly InstanceFacts[];
  /** Absent where it has no process of its own. */
  readonly runner?: {
    readonly pid: number;
    readonly restarts: number;
    readonly threads?: number;
    readonly rssBytes?: number;
    readonly peakBytes?: number;
  };
}

export interface ShapeInput {
  readonly name: string;
  /** Without the batch dimension. */
  readonly shape: readonly number[];
}

/** One signature of input shapes and what became of its requests, since the load. */
export interface ShapeRow {
  readonly inputs: readonly ShapeInput[];
  readonly count: number;
  readonly meanNs: number;
  readonly p99Ns: number;
  readonly firstSeenMs: number;
  readonly lastSeenMs: number;
  /** Requests that had a batch for themselves. */
  readonly alone: number;
  /** Batches of this shape that were closed because the next request had another one. */
  readonly cutShort: number;
}

export interface VersionShapes {
  readonly version: string;
  readonly maxBatchSize: number;
  readonly inputs: readonly {
    readonly name: string;
    readonly datatype: string;
    readonly dims: readonly number[];
    readonly ragged: boolean;
  }[];
  /** Most requests first; at most 200. */
  readonly rows: readonly ShapeRow[];
  readonly otherRequests: number;
  readonly otherShapes: number;
}

/** One load of a version since the server started, and what its process held. */
export interface LoadRow {
  readonly version: string;
  readonly atMs: number;
  readonly seconds?: number;
  readonly beforeBytes?: number;
  readonly loadedBytes?: number;
  readonly peakBytes?: number;
  readonly currentBytes?: number;
  readonly afterUnloadBytes?: number;
}

export interface MemoryFacts {
  /** The newest first. */
  readonly loads: readonly LoadRow[];
  /** What a first load of each version is reckoned to take. */
  readonly estimates: readonly { readonly version: string; readonly fileBytes: number; readonly bytes: number }[];
  /** Every version of every model that has a process, the largest first. */
  readonly holders: readonly { readonly model: string; readonly version: string; readonly bytes: number }[];
  readonly serverBytes: number;
  readonly budgetBytes?: number;
}

export type LogLevel = "debug" | "info" | "warn" | "error";

/** A line about a model. */
export interface LogLine {
  /** Grows with every line, over restarts of the server too. */
  readonly id: number;
  readonly atMs: number;
  readonly level: LogLevel;
  /** What the model printed, what happened to it, a request that failed, one that was answered. */
  readonly source: "runner" | "model" | "request" | "access";
  readonly model: string;
  readonly version: string;
  readonly instance: string;
  readonly requestId: string;
  readonly text: string;
}

export interface LogQuery {
  readonly model?: string | undefined;
  readonly version?: string | undefined;
  readonly instance?: string | undefined;
  /** This level and what is graver. */
  readonly level?: LogLevel | undefined;
  readonly q?: string | undefined;
  /** Unix milliseconds. */
  readonly since?: number | undefined;
  /** Only lines later than the one with this id. */
  readonly after?: number | undefined;
  /** The newest of them; up to 5,000. */
  readonly limit?: number | undefined;
}

export interface LogAnswer {
  /** The oldest first. */
  readonly lines: readonly LogLine[];
  /** Go on after this id. */
  readonly next: number;
  /** Lines after the one that was named are no longer remembered. */
  readonly gap: boolean;
}
