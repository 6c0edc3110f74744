import { NereidError } from "@nereid/errors";
import { requestIdPrefix } from "@nereid/protocol";
import type { QueuePolicy } from "../models/model-spec.ts";
import type { ValidRequest } from "../request/valid-request.ts";
import type { Clock } from "../time/clock.ts";
import { PreciseTimer } from "../time/precise-timer.ts";
import type { DecideBatch } from "./decide-batch.ts";
import { RequestQueue } from "./request-queue.ts";

/** A request between being accepted and being answered. */
export interface QueuedRequest {
  readonly request: ValidRequest;
  readonly batchSize: number;
  readonly shapeKey: string;
  readonly enqueuedNs: number;
  /** Infinity when the request may wait for ever. */
  readonly deadlineNs: number;
  /** Called once when the request leaves the queue without being executed. */
  readonly refuse: (error: NereidError, reason: RefusalReason) => void;
}

export type RefusalReason = "REJECTED" | "CANCELED" | "OTHER";

/**
 * What the instances can take: a batch that starts now, or one that waits at a busy instance so that there is no gap after the
 * batch it is executing. Only full batches are sent ahead: a smaller one could still grow here.
 */
export type Capacity = "idle" | "ahead" | "none";

/** Where batches go. */
export interface BatchTarget<T> {
  capacity(): Capacity;
  /** Starts the batch; the target calls `instanceFreed` when one is done. */
  start(batch: readonly T[]): void;
}

export interface SchedulerOptions<T> {
  readonly decide: DecideBatch;
  readonly queue: QueuePolicy;
  readonly clock: Clock;
  readonly target: BatchTarget<T>;
}

/** Nothing limited: models without a queue policy. */
export const NO_QUEUE_POLICY: QueuePolicy = { maxQueueSize: 0, defaultTimeoutNs: 0, allowTimeoutOverride: false };

/**
 * The queue of one model version. It owns a request from `enqueue` until the request is handed to the target or refused;
 * which requests form a batch is decided by the pure function it is given.
 */
export class Scheduler<T extends QueuedRequest> {
  readonly #options: SchedulerOptions<T>;
  readonly #queue = new RequestQueue<T>();
  readonly #timer: PreciseTimer;
  #nearestDeadlineNs = Number.POSITIVE_INFINITY;
  #stopped = false;

  constructor(options: SchedulerOptions<T>) {
    this.#options = options;
    this.#timer = new PreciseTimer(options.clock, () => this.dispatch());
  }

  get queued(): number {
    return this.#queue.length;
  }

  /** Takes the request or throws UNAVAILABLE when the queue is full or the scheduler has stopped. */
  enqueue(item: T): void {
    const { id } = item.request;
    if (this.#stopped) {
      throw new NereidError(
        "UNAVAILABLE",
        `${requestIdPrefix(id)}Server is stopping, scheduler for model has stopped accepting new inference requests`,
      );
    }
    const { maxQueueSize } = this.#options.queue;
    if (maxQueueSize > 0 && this.#queue.length >= maxQueueSize) {
      throw new NereidError("UNAVAILABLE", `${requestIdPrefix(id)}Exceeds maximum queue size`);
    }
    this.#queue.push(item);
    this.#nearestDeadlineNs = Math.min(this.#nearestDeadlineNs, item.deadlineNs);
    this.dispatch();
  }

  /** Absolute deadline of a request by the queue policy: its own time-out may only shorten the default. */
  deadlineOf(request: ValidRequest, nowNs: number): number {
    const { defaultTimeoutNs, allowTimeoutOverride } = this.#options.queue;
    if (defaultTimeoutNs === 0) return Number.POSITIVE_INFINITY;
    const own = allowTimeoutOverride && request.timeoutNs > 0 ? request.timeoutNs : defaultTimeoutNs;
    return nowNs + Math.min(own, defaultTimeoutNs);
  }

  /** The client has gone: drops the request if it still waits. */
  cancel(item: T): void {
    for (const removed of this.#queue.remove((candidate) => candidate === item)) {
      removed.refuse(new NereidError("CANCELLED", ""), "CANCELED");
    }
  }

  /** Sends every batch that can be sent now and arms the timer for the next moment something may change. */
  readonly dispatch = (): void => {
    const { decide, clock, target } = this.#options;
    this.#timer.cancel();
    let wakeNs = Number.POSITIVE_INFINITY;
    for (;;) {
      const nowNs = clock.nowNs();
      // Expiry must not depend on an instance becoming free.
      if (nowNs >= this.#nearestDeadlineNs) this.#expire(nowNs);
      if (this.#queue.length === 0) break;
      const capacity = target.capacity();
      if (capacity === "none") break;
      const decision = decide(this.#queue, nowNs);
      if (capacity === "ahead" && (decision.action !== "send" || !decision.full)) break;
      if (decision.action === "none") break;
      if (decision.action === "wait") {
        wakeNs = decision.untilNs;
        break;
      }
      target.start(this.#queue.take(decision.count));
    }
    const nextNs = Math.min(wakeNs, this.#queue.length > 0 ? this.#nearestDeadlineNs : Number.POSITIVE_INFINITY);
    if (nextNs !== Number.POSITIVE_INFINITY) this.#timer.arm(nextNs);
  };

  /** Refuses new requests; what is queued is still executed. */
  stopAccepting(): void {
    this.#stopped = true;
  }

  /** Refuses everything that waits. */
  refuseAll(error: NereidError, reason: RefusalReason): void {
    this.#timer.cancel();
    for (const item of this.#queue.take(this.#queue.length)) item.refuse(error, reason);
  }

  #expire(nowNs: number): void {
    for (const item of this.#queue.remove(({ deadlineNs }) => deadlineNs <= nowNs)) {
      item.refuse(new NereidError("UNAVAILABLE", "Request timeout expired"), "REJECTED");
    }
    let nearest = Number.POSITIVE_INFINITY;
    for (let index = 0; index < this.#queue.length; index++) {
      nearest = Math.min(nearest, this.#queue.at(index)?.deadlineNs ?? nearest);
    }
    this.#nearestDeadlineNs = nearest;
  }
}
