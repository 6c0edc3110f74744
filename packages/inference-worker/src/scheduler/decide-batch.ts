import type { BatchPolicy } from "../models/model-spec.ts";

/** What the decision needs to know of a waiting request. */
export interface Waiting {
  /** 0 counts as 1. */
  readonly batchSize: number;
  readonly shapeKey: string;
  readonly enqueuedNs: number;
}

/** The queue as the decision sees it: oldest first, already free of expired and cancelled requests. */
export interface QueueView {
  readonly length: number;
  at(index: number): Waiting | undefined;
}

export type BatchDecision =
  | { readonly action: "none" }
  /** The first `count` requests form the batch; `full`: waiting longer could not have made it larger. */
  | { readonly action: "send"; readonly count: number; readonly full: boolean }
  /** Nothing is worth sending before `untilNs` unless another request arrives. */
  | { readonly action: "wait"; readonly untilNs: number };

/** How requests in a queue become a batch, given that an instance is free. Pure. */
export type DecideBatch = (queue: QueueView, nowNs: number) => BatchDecision;

/** The default scheduler: every request executes alone. */
export const decideSingle: DecideBatch = (queue) =>
  queue.length === 0 ? { action: "none" } : { action: "send", count: 1, full: true };

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

  return (queue, nowNs) => {
    const first = queue.at(0);
    if (first === undefined) return { action: "none" };
    let size = 0;
    let count = 0;
    let best = 0;
    let stopped = false;
    let bestSize = 0;
    for (; count < queue.length; count++) {
      const next = queue.at(count);
      if (next === undefined) break;
      const grown = size + Math.max(1, next.batchSize);
      if (size > 0 && grown > largestPreferred && best === 0) {
        best = count;
        bestSize = size;
      }
      if ((size > 0 && grown > limit) || next.shapeKey !== first.shapeKey) {
        stopped = true;
        break;
      }
      size = grown;
      if (preferred.has(size)) {
        best = count + 1;
        bestSize = size;
      }
    }
    const overdue = delayNs > 0 && nowNs - first.enqueuedNs >= delayNs;
    if (best !== 0 && !overdue) return { action: "send", count: best, full: bestSize >= Math.max(largestPreferred, 1) };
    if (stopped || size >= largestPreferred || overdue || delayNs === 0)
      return { action: "send", count, full: size >= limit };
    return { action: "wait", untilNs: first.enqueuedNs + delayNs };
  };
}
