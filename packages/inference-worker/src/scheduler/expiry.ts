import { NereidError } from "@nereid/errors";
import { requestIdPrefix } from "@nereid/protocol";
import { DueHeap } from "./due-heap.ts";
import type { PriorityPolicy } from "./policy.ts";
import { policyOf, timeoutOf } from "./priority-rules.ts";
import type { QueuedRequest, RefusalReason } from "./request-scheduler.ts";

/** Triton's text, without the request's id (scheduling.md §4). */
export const TIMEOUT_TEXT = "Request timeout expired";

export interface DueItem<T> {
  readonly item: T;
  /** Why it must not be executed; undefined where its time-out is over and the policy is DELAY. */
  readonly refusal: { readonly error: NereidError; readonly reason: RefusalReason } | undefined;
}

/** Which waiting requests must be dealt with at which moment: time-outs of the queue policy and clients' deadlines. */
export class Expiry<T extends QueuedRequest> {
  readonly #priorities: PriorityPolicy;
  readonly #hasTimeouts: boolean;
  readonly #due = new DueHeap<T>();

  constructor(priorities: PriorityPolicy) {
    this.#priorities = priorities;
    const policies = [priorities.defaultPolicy, ...priorities.byLevel.values()];
    this.#hasTimeouts = policies.some(({ defaultTimeoutNs }) => defaultTimeoutNs > 0);
  }

  get isEmpty(): boolean {
    return this.#due.size === 0;
  }

  get nearestNs(): number {
    return this.#due.nearestNs;
  }

  add(item: T): void {
    if (!this.#hasTimeouts && item.request.deadlineNs === Number.POSITIVE_INFINITY) return;
    const dueNs = Math.min(this.#timeoutAtNs(item), item.request.deadlineNs);
    if (dueNs !== Number.POSITIVE_INFINITY) this.#due.add(item, dueNs);
  }

  remove(item: T): void {
    this.#due.remove(item);
  }

  /** Takes out the first item that is due; a delayed one stays for its client's deadline. */
  takeDue(nowNs: number): DueItem<T> | undefined {
    const item = this.#due.nearest;
    if (item === undefined || this.#due.nearestNs > nowNs) return undefined;
    this.#due.remove(item);
    const { deadlineNs } = item.request;
    const timeoutAtNs = this.#timeoutAtNs(item);
    if (item.place?.delayed || deadlineNs < timeoutAtNs) {
      // Nobody waits for it any more: the same as a cancellation, whichever of the two is noticed first.
      return { item, refusal: { error: deadlineError(item), reason: "CANCELED" } };
    }
    if (policyOf(this.#priorities, item.place?.level ?? 1).timeoutAction === "REJECT") {
      return { item, refusal: { error: new NereidError("UNAVAILABLE", TIMEOUT_TEXT), reason: "REJECTED" } };
    }
    if (deadlineNs !== Number.POSITIVE_INFINITY) this.#due.add(item, deadlineNs);
    return { item, refusal: undefined };
  }

  #timeoutAtNs(item: T): number {
    return item.enqueuedNs + timeoutOf(policyOf(this.#priorities, item.place?.level ?? 1), item.request);
  }
}

/** What a request gets that is not executed as its answer would come too late. */
export function deadlineError({ request }: QueuedRequest, predictedNs?: number): NereidError {
  const prefix = requestIdPrefix(request.id);
  const why =
    predictedNs === undefined
      ? "it passed while the request was in the queue"
      : `an execution takes about ${Math.ceil(predictedNs / 1e6)} ms`;
  const details = { reason: "client-deadline" };
  return new NereidError("UNAVAILABLE", `${prefix}Request cannot meet the client's deadline: ${why}`, { details });
}
