import type { BatchPolicy } from "./policy.ts";
import type { BatchReason } from "./request-scheduler.ts";

/** What the decision needs to know of a waiting request. */
export interface Waiting {
  /** 0 counts as 1. */
  readonly batchSize: number;
  readonly shapeKey: string;
  readonly enqueuedNs: number;
}

/** The queue as the decision sees it: in scan order, free of expired and cancelled requests, read from the front. */
export interface QueueView {
  /** Undefined behind the last one. */
  at(index: number): Waiting | undefined;
}

export type BatchDecision =
  | { readonly action: "none" }
  /** The first `count` requests form the batch; `full`: waiting longer could not have made it larger. */
  | { readonly action: "send"; readonly count: number; readonly full: boolean; readonly reason: BatchReason }
  /** Nothing is worth sending before `untilNs` unless another request arrives. */
  | { readonly action: "wait"; readonly untilNs: number };

/** How requests in a queue become a batch, given that an instance is free. Pure. */
export type DecideBatch = (queue: QueueView, nowNs: number) => BatchDecision;

const NONE: BatchDecision = { action: "none" };
const ONE: BatchDecision = { action: "send", count: 1, full: true, reason: "single" };

/** The default scheduler: every request executes alone. */
export const decideSingle: DecideBatch = (queue) => (queue.at(0) === undefined ? NONE : ONE);

/**
 * The dynamic batcher's rule (Triton's, for an empty payload): requests are taken strictly in order; a batch never exceeds the
 * largest size, never mixes shapes, and waits at most the queue delay, counted from its oldest request, for a preferred
 * size. Nothing overtakes, so nothing starves.
 */
export function decideDynamic(policy: BatchPolicy): DecideBatch {
  const preferred = new Set(policy.preferredBatchSizes);
  const largestPreferred = Math.max(0, ...policy.preferredBatchSizes);
  const limit = Math.max(1, policy.maxBatchSize);
  const delayNs = policy.maxQueueDelayNs;
  if (policy.maxBatchSize === 0) return decideSingle;

  return (queue, nowNs) => {
    const first = queue.at(0);
    if (first === undefined) return NONE;
    let size = 0;
    let count = 0;
    let best = 0;
    let bestSize = 0;
    let stopped: BatchReason | undefined;
    // In scan order the first one is not always the oldest: levels and delayed requests.
    let oldestNs = first.enqueuedNs;
    for (let next: Waiting | undefined = first; next !== undefined; next = queue.at(count)) {
      const grown = size + Math.max(1, next.batchSize);
      if (size > 0 && grown > largestPreferred && best === 0) {
        best = count;
        bestSize = size;
      }
      if (size > 0 && grown > limit) {
        stopped = "next-too-large";
        break;
      }
      if (next.shapeKey !== first.shapeKey) {
        stopped = "other-shape";
        break;
      }
      size = grown;
      count += 1;
      if (next.enqueuedNs < oldestNs) oldestNs = next.enqueuedNs;
      if (preferred.has(size)) {
        best = count;
        bestSize = size;
      }
    }
    // The same sum as `untilNs`: with fractions of a nanosecond a difference could say "wait" for a moment that has come.
    const overdue = delayNs > 0 && nowNs >= oldestNs + delayNs;
    if (best !== 0 && !overdue) {
      const full = bestSize >= Math.max(largestPreferred, 1);
      const reason = full ? "full" : preferred.has(bestSize) ? "preferred" : "next-too-large";
      return { action: "send", count: best, full, reason };
    }
    const full = size >= limit;
    const reason = full || size >= largestPreferred ? "full" : (stopped ?? (overdue ? "delay-over" : "no-delay"));
    if (stopped !== undefined || size >= largestPreferred || overdue || delayNs === 0) {
      return { action: "send", count, full, reason };
    }
    return { action: "wait", untilNs: oldestNs + delayNs };
  };
}
