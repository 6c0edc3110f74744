import type { NereidError } from "@nereid/errors";
import type { ValidRequest } from "../request/valid-request.ts";

/** Where a request waits. Belongs to the scheduler that holds the request; nobody else reads or writes it. */
export interface QueuePlace {
  /** Number of its class. */
  readonly lane: number;
  readonly level: number;
  /** It expired under DELAY: it stands behind the unexpired ones of its level. */
  delayed: boolean;
  /** Where in its list. */
  position: number;
  /** Where among those that have something due; -1 = not among them. */
  dueIndex: number;
}

/** A request between being accepted and being handed to an instance. */
export interface QueuedRequest {
  readonly request: ValidRequest;
  /** 0 counts as 1. */
  readonly batchSize: number;
  readonly shapeKey: string;
  readonly enqueuedNs: number;
  /** In the unit of the cost classes; see `costOf`. */
  readonly cost: number;
  /** Called once when the request leaves the queue without being executed. */
  readonly refuse: (error: NereidError, reason: RefusalReason) => void;
  /** Set while it waits; leave it out when making a request. */
  place?: QueuePlace | undefined;
}

export type RefusalReason = "REJECTED" | "CANCELED" | "OTHER";

/** Why a batch was sent when it was, for people: told by flight records. */
export type BatchReason =
  /** The model does not batch. */
  | "single"
  /** Reached the largest preferred size, or the largest size. */
  | "full"
  /** Reached a preferred size. */
  | "preferred"
  /** No delay is configured: what waited was sent. */
  | "no-delay"
  /** The oldest request had waited for the whole delay. */
  | "delay-over"
  /** A client's deadline does not allow for the rest of the delay. */
  | "deadline-near"
  /** The next request has another shape. */
  | "other-shape"
  /** The next request does not fit. */
  | "next-too-large"
  /** Slots of sequences that were ready. */
  | "sequence-slots";

export interface BatchNotes {
  readonly reason: BatchReason;
  /** Requests that stayed in the queue. */
  readonly leftWaiting: number;
}

/**
 * What the instances can take: a batch that starts now, or one that waits at a busy instance so that there is no gap after the
 * batch it is executing. Only full batches are sent ahead: a smaller one could still grow here.
 */
export type Capacity = "idle" | "ahead" | "none";

/** Where batches go, whatever instance takes them. */
export interface BatchTarget<T> {
  capacity(): Capacity;
  /** Starts the batch; `dispatch` is called when an instance becomes free. */
  start(batch: readonly T[], notes: BatchNotes): void;
}

/** What every scheduler of a model version is to its executor. It owns a request from `enqueue` until it is handed over or refused. */
export interface RequestScheduler<T extends QueuedRequest> {
  readonly queued: number;
  /** Takes the request and returns how many wait before it, or throws UNAVAILABLE when it may not wait. */
  enqueue(item: T): number;
  /** The client has gone: drops the request if it still waits. */
  cancel(item: T): void;
  /** Sends every batch that can be sent now and arms the timer for the next moment something may change. */
  dispatch(): void;
  /** The items of one batch have been executed, or failed; `executionNs` is how long the instance was busy with them. */
  executed(items: readonly T[], executionNs: number): void;
  /** Refuses new requests; what is queued is still executed. */
  stopAccepting(): void;
  /** Refuses everything that waits. */
  refuseAll(error: NereidError, reason: RefusalReason): void;
}
