import { NereidError } from "@nereid/errors";
import { type Alarm, type AlarmFactory, preciseAlarm } from "../time/alarm.ts";
import type { Clock } from "../time/clock.ts";
import { type OverloadCode, refuseAdmission } from "./admission.ts";
import { BatchChooser, costOfAll } from "./batch-chooser.ts";
import type { DecideBatch } from "./decide-batch.ts";
import { deadlineError, Expiry } from "./expiry.ts";
import { Lane } from "./lane.ts";
import type { AdmissionLimits, CostClass, PriorityPolicy } from "./policy.ts";
import { predictWaitNs } from "./predict-wait.ts";
import { levelOf, policyOf } from "./priority-rules.ts";
import type { BatchTarget, QueuedRequest, RefusalReason, RequestScheduler } from "./request-scheduler.ts";
import { stoppedError } from "./stopped-error.ts";

export interface SchedulerOptions<T> {
  readonly decide: DecideBatch;
  readonly priorities: PriorityPolicy;
  readonly admission: AdmissionLimits;
  readonly clock: Clock;
  readonly target: BatchTarget<T>;
  /** How many instances there are, for predictions. */
  readonly instances: () => number;
  readonly createAlarm?: AlarmFactory;
  /** Code of refusals by our own limits; Triton's limit is always UNAVAILABLE. */
  readonly overloadCode?: OverloadCode;
}

const ONE_CLASS: CostClass = { name: "", maxCost: Number.POSITIVE_INFINITY, maxQueued: 0, maxExecuting: 0, weight: 1 };

/**
 * The queue of one model version. It owns a request from `enqueue` until the request is handed to the target or refused;
 * which requests form a batch is decided by the pure function it is given, which class of requests is next by deficit round
 * robin.
 */
export class Scheduler<T extends QueuedRequest> implements RequestScheduler<T> {
  readonly #options: SchedulerOptions<T>;
  readonly #lanes: readonly Lane<T>[];
  readonly #chooser: BatchChooser<T>;
  readonly #expiry: Expiry<T>;
  readonly #alarm: Alarm;
  readonly #isLimited: boolean;
  #queued = 0;
  #queuedBytes = 0;
  #wakeNs = Number.POSITIVE_INFINITY;
  #dispatching = false;
  #dispatchAgain = false;
  #stopped = false;

  constructor(options: SchedulerOptions<T>) {
    this.#options = options;
    const { admission, priorities } = options;
    const classes = admission.classes.length > 0 ? admission.classes : [ONE_CLASS];
    this.#lanes = classes.map((costClass, index) => new Lane<T>(index, costClass));
    this.#expiry = new Expiry(priorities);
    this.#chooser = new BatchChooser({ lanes: this.#lanes, decide: options.decide, expiry: this.#expiry });
    this.#alarm = (options.createAlarm ?? preciseAlarm)(options.clock, () => this.dispatch());
    this.#isLimited =
      [priorities.defaultPolicy, ...priorities.byLevel.values()].some(({ maxQueueSize }) => maxQueueSize > 0) ||
      classes.some(({ maxQueued }) => maxQueued > 0) ||
      admission.maxRequests + admission.maxBytes + admission.maxPredictedWaitNs > 0;
  }

  get queued(): number {
    return this.#queued;
  }

  /** Bytes of the inputs of all that wait. */
  get queuedBytes(): number {
    return this.#queuedBytes;
  }

  /**
   * Takes the request and returns how many of its class wait before it. Throws UNAVAILABLE when its level is full or the
   * scheduler has stopped, and the overload code when another limit is reached, with the time to try again after.
   */
  enqueue(item: T): number {
    const { request } = item;
    if (this.#stopped) throw stoppedError(request.id);
    const level = levelOf(this.#options.priorities, request.priority);
    const lane = this.#laneOf(item);
    if (this.#isLimited) this.#admit(item, lane, level);
    const ahead = lane.ahead(level);
    lane.add(item, level);
    this.#queued += 1;
    this.#queuedBytes += request.byteLength;
    this.#expiry.add(item);
    this.dispatch();
    return ahead;
  }

  cancel(item: T): void {
    if (this.#remove(item)) item.refuse(new NereidError("CANCELLED", ""), "CANCELED");
  }

  readonly dispatch = (): void => {
    // What is called from here, a refusal or the start of a batch, may ask for another round.
    this.#dispatchAgain = true;
    if (this.#dispatching) return;
    this.#dispatching = true;
    try {
      while (this.#dispatchAgain) {
        this.#dispatchAgain = false;
        while (this.#dispatchOne());
      }
    } finally {
      this.#dispatching = false;
      const nextNs = Math.min(this.#wakeNs, this.#expiry.nearestNs);
      if (nextNs === Number.POSITIVE_INFINITY) this.#alarm.cancel();
      else this.#alarm.arm(nextNs);
    }
  };

  /** To be called before the `dispatch` for the freed instance. NaN nanoseconds: failed, nothing is to be learnt from it. */
  executed(items: readonly T[], executionNs: number): void {
    const first = items[0];
    if (first === undefined) return;
    const lane = this.#laneOf(first);
    lane.executing = Math.max(0, lane.executing - items.length);
    lane.estimator.observe(costOfAll(items), executionNs);
    if (lane.costClass.maxExecuting > 0 && lane.length > 0) this.dispatch();
  }

  stopAccepting(): void {
    this.#stopped = true;
  }

  refuseAll(error: NereidError, reason: RefusalReason): void {
    this.#alarm.cancel();
    const all = this.#lanes.map((lane) => {
      lane.beginScan(Number.POSITIVE_INFINITY);
      while (lane.at(lane.found.length) !== undefined);
      return lane.takeFound(Number.POSITIVE_INFINITY);
    });
    for (const item of all.flat()) if (this.#remove(item)) item.refuse(error, reason);
  }

  /** Sends one batch, or says that nothing more can be sent now. */
  #dispatchOne(): boolean {
    const { clock, target } = this.#options;
    this.#wakeNs = Number.POSITIVE_INFINITY;
    const capacity = this.#queued === 0 ? "none" : target.capacity();
    if (capacity === "none" && this.#expiry.isEmpty) return false;
    const nowNs = clock.nowNs();
    // Expiry must not depend on an instance becoming free.
    if (this.#expiry.nearestNs <= nowNs) {
      this.#expire(nowNs);
      return true;
    }
    if (capacity === "none") return false;
    const choice = this.#chooser.choose(nowNs, capacity === "ahead");
    this.#wakeNs = choice.wakeNs;
    const { batch } = choice;
    if (batch !== undefined) {
      choice.lane.executing += batch.length;
      for (const item of batch) this.#remove(item);
    }
    if (batch !== undefined) target.start(batch, { reason: choice.reason, leftWaiting: this.#queued });
    // Only now: whoever is refused may call back in.
    const refused = this.#refuseDoomed();
    return refused || batch !== undefined;
  }

  #refuseDoomed(): boolean {
    let refused = false;
    for (const lane of this.#lanes) {
      for (const item of lane.takeDoomed() ?? []) {
        const predictedNs = lane.estimator.executionNs(item.cost);
        lane.estimator.doubt();
        if (!this.#remove(item)) continue;
        item.refuse(deadlineError(item, predictedNs), "REJECTED");
        refused = true;
      }
    }
    return refused;
  }

  #expire(nowNs: number): void {
    for (let due = this.#expiry.takeDue(nowNs); due !== undefined; due = this.#expiry.takeDue(nowNs)) {
      const { item, refusal } = due;
      if (refusal === undefined) this.#laneOf(item).delay(item);
      else if (this.#remove(item)) item.refuse(refusal.error, refusal.reason);
    }
  }

  #admit(item: T, lane: Lane<T>, level: number): void {
    const { priorities, admission, overloadCode = "UNAVAILABLE", target } = this.#options;
    // Those whose time is over do not count.
    if (this.#expiry.nearestNs <= item.enqueuedNs) this.dispatch();
    const error = refuseAdmission(
      item,
      { policy: policyOf(priorities, level), limits: admission, costClass: lane.costClass, overloadCode },
      {
        queued: this.#queued,
        queuedBytes: this.#queuedBytes,
        queuedInLevel: this.#lanes.reduce((sum, other) => sum + other.lengthOf(level), 0),
        queuedInClass: lane.length,
        predictWaitNs: () => this.#predictWaitNs(lane, level),
        isIdle: () => target.capacity() === "idle",
      },
    );
    if (error !== undefined) throw error;
  }

  #predictWaitNs(own: Lane<T>, level: number): number | undefined {
    const load = (lane: Lane<T>, cost: number) => ({ ...lane.costClass, workNs: lane.estimator.workNs(cost) });
    const others = this.#lanes.filter((lane) => lane !== own);
    return predictWaitNs(
      load(own, own.costUpTo(level)),
      others.map((lane) => load(lane, lane.costUpTo(Number.POSITIVE_INFINITY))),
      this.#options.instances(),
    );
  }

  #laneOf({ cost }: T): Lane<T> {
    const only = this.#lanes[0];
    const lane =
      this.#lanes.length === 1
        ? only
        : (this.#lanes.find(({ costClass }) => costClass.maxCost >= cost) ?? this.#lanes.at(-1));
    if (lane === undefined) throw new NereidError("INTERNAL", "a scheduler has no classes");
    return lane;
  }

  /** False when it does not wait here. */
  #remove(item: T): boolean {
    const lane = item.place && this.#lanes[item.place.lane];
    if (lane === undefined) return false;
    if (!this.#expiry.isEmpty) this.#expiry.remove(item);
    if (!lane.remove(item)) return false;
    if (lane.length === 0) this.#chooser.emptied(lane);
    this.#queued -= 1;
    this.#queuedBytes -= item.request.byteLength;
    return true;
  }
}
