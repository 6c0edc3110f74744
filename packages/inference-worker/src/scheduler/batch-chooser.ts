import type { BatchDecision, DecideBatch } from "./decide-batch.ts";
import { DeficitRoundRobin } from "./deficit-round-robin.ts";
import type { Expiry } from "./expiry.ts";
import type { Lane } from "./lane.ts";
import type { BatchReason, QueuedRequest } from "./request-scheduler.ts";

type Send = Extract<BatchDecision, { action: "send" }>;

/** The batch to send, or the moment from which there may be one; Infinity = not before something else happens. */
export type Choice<T extends QueuedRequest> =
  | { readonly batch: undefined; readonly wakeNs: number }
  | { readonly batch: readonly T[]; readonly lane: Lane<T>; readonly reason: BatchReason; readonly wakeNs: number };

export interface BatchChooserOptions<T extends QueuedRequest> {
  readonly lanes: readonly Lane<T>[];
  readonly decide: DecideBatch;
  readonly expiry: Expiry<T>;
}

/** Which requests an instance gets next: asks the rule about each class that has something to send, and lets them take turns. */
export class BatchChooser<T extends QueuedRequest> {
  readonly #options: BatchChooserOptions<T>;
  readonly #turns: DeficitRoundRobin;
  #nowNs = 0;
  #wakeNs = Number.POSITIVE_INFINITY;

  constructor(options: BatchChooserOptions<T>) {
    this.#options = options;
    this.#turns = new DeficitRoundRobin(options.lanes.length);
  }

  /** Reads the classes and leaves them as they are: the caller removes the batch and those found not worth executing. */
  choose(nowNs: number, onlyFull: boolean): Choice<T> {
    const { lanes } = this.#options;
    this.#nowNs = nowNs;
    this.#wakeNs = Number.POSITIVE_INFINITY;
    const only = lanes.length === 1 ? lanes[0] : undefined;
    if (only !== undefined) return this.#take(only, this.#decide(only, onlyFull));
    const offers = lanes.map((lane) => this.#decide(lane, onlyFull));
    const chosen = this.#chooseLane(offers) ?? -1;
    const choice = this.#take(lanes[chosen], offers[chosen]);
    for (const lane of lanes) lane.endScan();
    return choice;
  }

  /** Nothing of the class waits any more. */
  emptied(lane: Lane<T>): void {
    if (this.#options.lanes.length > 1) this.#turns.emptied(lane.index);
  }

  #take(lane: Lane<T> | undefined, send: Send | undefined): Choice<T> {
    const wakeNs = this.#wakeNs;
    if (lane !== undefined && send !== undefined) {
      return { batch: lane.takeFound(send.count), lane, reason: send.reason, wakeNs };
    }
    lane?.endScan();
    return { batch: undefined, wakeNs };
  }

  #chooseLane(offers: readonly (Send | undefined)[]): number | undefined {
    const contenders = offers.flatMap((send, index) => {
      const lane = this.#options.lanes[index];
      if (send === undefined || lane === undefined) return [];
      const cost = costOfAll(lane.found.slice(0, send.count));
      return [{ lane: index, weight: lane.costClass.weight, charge: lane.estimator.executionNs(cost) ?? 0 }];
    });
    return this.#turns.choose(contenders);
  }

  #decide(lane: Lane<T>, onlyFull: boolean): Send | undefined {
    const send = lane.length === 0 ? undefined : this.#decideAny(lane);
    return onlyFull && send?.full === false ? undefined : send;
  }

  #decideAny(lane: Lane<T>): Send | undefined {
    const { expiry, decide } = this.#options;
    const { maxExecuting } = lane.costClass;
    const room = maxExecuting === 0 ? Number.POSITIVE_INFINITY : maxExecuting - lane.executing;
    if (room <= 0) return undefined;
    const hasDeadlines = !expiry.isEmpty;
    lane.beginScan(room, hasDeadlines ? this.#isDoomed : undefined);
    const decision = decide(lane, this.#nowNs);
    if (decision.action === "send") return decision;
    if (decision.action === "none") return undefined;
    const count = lane.found.length;
    if (count >= room) return { action: "send", count, full: true, reason: "full" };
    const latestNs = hasDeadlines ? latestStartNs(lane) : Number.POSITIVE_INFINITY;
    if (latestNs <= this.#nowNs) return { action: "send", count, full: false, reason: "deadline-near" };
    this.#wakeNs = Math.min(this.#wakeNs, decision.untilNs, latestNs);
    return undefined;
  }

  /** It would miss its client's deadline even if it were executed alone and now. */
  readonly #isDoomed = (item: T, lane: Lane<T>): boolean => {
    const { deadlineNs } = item.request;
    if (deadlineNs === Number.POSITIVE_INFINITY) return false;
    return this.#nowNs + (lane.estimator.executionNs(item.cost) ?? 0) > deadlineNs;
  };
}

export function costOfAll(items: readonly QueuedRequest[]): number {
  let cost = 0;
  for (const item of items) cost += item.cost;
  return cost;
}

/**
 * When those that were read must start at the latest so that the nearest of their clients' deadlines is met: with as much
 * time to spare as the execution takes, or with half of the client's time while it is not known how long that is.
 */
function latestStartNs<T extends QueuedRequest>(lane: Lane<T>): number {
  const predictedNs = lane.estimator.executionNs(costOfAll(lane.found));
  let latestNs = Number.POSITIVE_INFINITY;
  for (const { enqueuedNs, request } of lane.found) {
    const { deadlineNs } = request;
    if (deadlineNs === Number.POSITIVE_INFINITY) continue;
    const sparingNs = predictedNs === undefined ? (deadlineNs - enqueuedNs) / 2 : 2 * predictedNs;
    latestNs = Math.min(latestNs, deadlineNs - sparingNs);
  }
  return latestNs;
}
