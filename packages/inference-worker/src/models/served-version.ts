import type { ModelStatistics } from "@nereid/telemetry";
import type { VersionFacts } from "../facts/version-facts.ts";
import type { ValidRequest } from "../request/valid-request.ts";
import type { Placement } from "../runners/placement.ts";
import type { SlabBlock } from "../shm/slab.ts";
import type { InferTicket } from "./infer-ticket.ts";
import type { InstanceSpec, ModelSpec } from "./model-spec.ts";

/** Resident bytes of what runs a version over its life. */
export interface MemoryLedger {
  beforeBytes?: number;
  loadedBytes?: number;
  peakBytes?: number;
  currentBytes?: number;
  /** 0 once the process has ended: unloading ends it, so nothing can stay behind. */
  afterUnloadBytes?: number;
}

export type RunnerEvent =
  | { readonly kind: "ended"; readonly reason: string }
  | { readonly kind: "restarted"; readonly restarts: number }
  | { readonly kind: "restart-failed"; readonly reason: string; readonly nextMs: number };

/** What an operator did to one instance, and what became of it. */
export interface InstanceEvent {
  readonly kind: "instance-drained" | "instance-resumed" | "instance-restarted" | "instance-restart-failed";
  /** Name of the instance. */
  readonly instance: string;
  /** Why a restart failed, or what it cost; else empty. */
  readonly reason: string;
}

/** `draining`: gets no batch and finishes what it has; `down`: its restart failed. */
export type InstancePhase = "serving" | "draining" | "drained" | "restarting" | "down";

export interface InstanceOrder {
  readonly action: "drain" | "resume" | "restart";
  /** Number of the instance, from 0. */
  readonly index: number;
  /** Also where no other instance would serve: requests then wait. */
  readonly force: boolean;
  /** Of a restart: how long its batch may take to end. */
  readonly deadlineMs: number;
}

/** One instance, for people. */
export interface InstanceState {
  /** Number among those of the version, from 0; instances on several devices may have the same name. */
  readonly index: number;
  readonly phase: InstancePhase;
  readonly name: string;
  readonly kind: InstanceSpec["kind"];
  readonly device: number;
  readonly passive: boolean;
  readonly executions: number;
  /** Batches it has now, one of which may wait behind the other. */
  readonly inFlight: number;
  /** Time it has been executing since it was started, nanoseconds. */
  readonly busyNs: number;
  /** Share of the last five to ten seconds it was executing, 0 to 1. */
  readonly busyShare: number;
  /** The same of the last 10 and 60 s, or of its life where that is shorter. */
  readonly busyShare10: number;
  readonly busyShare60: number;
}

/** A version kept from ending for as long as somebody needs it, such as an ensemble that has steps of it before it. */
export interface Lease {
  readonly spec: ModelSpec;
  /** Takes requests also while the version is being unloaded. */
  submit(request: ValidRequest): InferTicket;
  release(): void;
}

/** A loaded model version that takes requests: one in a runner process, or an ensemble of others. */
export interface ServedVersion {
  readonly spec: ModelSpec;
  readonly statistics: ModelStatistics;
  readonly ledger: MemoryLedger;
  readonly ready: boolean;
  /** Why it is not ready; empty when it is. */
  readonly reason: string;
  /** Asks also the model itself, where it tells of its readiness. */
  checkReady(): Promise<boolean> | boolean;
  readonly restarts: number;
  /** Of the runner process; undefined where there is none. */
  readonly pid: number | undefined;
  /** Instances that are wanted; their number may have changed since the load. */
  readonly instances: readonly InstanceSpec[];
  readonly instanceStates: readonly InstanceState[];
  /** Nodes of its graph by execution provider, where others than the processor were asked for. */
  readonly placement: Placement | undefined;
  /** A full batch may wait at a busy instance, where there is only one. */
  readonly sendsAhead: boolean;
  /** Requests that wait in its queue. */
  readonly queued: number;
  /** What its batches and requests were like; undefined where it has no batches of its own. */
  readonly facts: VersionFacts | undefined;
  /** Whether a live sequence of this id is bound to it. */
  holdsSequence(id: bigint | string): boolean;
  /** The sequence has begun anew elsewhere: its requests no longer belong here. What waits is still executed. */
  releaseSequence(id: bigint | string): void;
  /** Reads memory use now and returns the ledger. */
  measureMemory(): MemoryLedger;
  /** Room in shared memory to receive a request's body in; undefined where it would not help. */
  reserve(byteLength: number): SlabBlock | undefined;
  /** Takes a request; its answers settle exactly once. Throws UNAVAILABLE when it cannot take any. */
  submit(request: ValidRequest): InferTicket;
  /** Throws UNAVAILABLE when it is being unloaded. */
  lease(): Lease;
  /** Brings the number of instances to that of `instances` while it serves. On failure, and when the signal aborts, nothing changes. */
  resize(instances: readonly InstanceSpec[], signal?: AbortSignal): Promise<void>;
  /**
   * Drains, resumes or restarts one instance and returns what it is then. NOT_FOUND for none of this number; CONFLICT where it would
   * leave none that serves, without `force`; UNSUPPORTED where instances cannot be operated one by one.
   */
  operateInstance(order: InstanceOrder): Promise<InstanceState>;
  /** Gives back shared memory that stood empty. */
  sweep(): void;
  /** Finishes what was accepted, and live sequences, at most until the deadline; then ends. */
  stop(deadlineMs: number): Promise<void>;
}
