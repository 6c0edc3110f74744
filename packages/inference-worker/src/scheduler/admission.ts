import { NereidError } from "@nereid/errors";
import { requestIdPrefix } from "@nereid/protocol";
import type { AdmissionLimits, CostClass, QueuePolicy } from "./policy.ts";
import type { QueuedRequest } from "./request-scheduler.ts";

/** Told to clients of a full queue while nothing is known about how fast it empties. */
const RETRY_AFTER_UNKNOWN_MS = 1000;

export type OverloadCode = "UNAVAILABLE" | "TOO_MANY_REQUESTS";

/** What waits at the moment a request arrives. */
export interface AdmissionState {
  readonly queued: number;
  readonly queuedBytes: number;
  readonly queuedInLevel: number;
  readonly queuedInClass: number;
  /** Undefined while nothing is known. */
  readonly predictWaitNs: () => number | undefined;
  /** An instance would take the request at once. */
  readonly isIdle: () => boolean;
}

export interface AdmissionRules {
  readonly policy: QueuePolicy;
  readonly limits: AdmissionLimits;
  readonly costClass: CostClass;
  readonly overloadCode: OverloadCode;
}

/**
 * Why a request may not wait; undefined when it may. Triton's limit of the priority level comes first and has its text
 * (scheduling.md §4). Pure.
 */
export function refuseAdmission(
  { request }: QueuedRequest,
  rules: AdmissionRules,
  state: AdmissionState,
): NereidError | undefined {
  const { policy, limits, costClass, overloadCode } = rules;
  const prefix = requestIdPrefix(request.id);
  if (policy.maxQueueSize > 0 && state.queuedInLevel >= policy.maxQueueSize) {
    const waitNs = state.predictWaitNs();
    const hint = waitNs === undefined ? {} : { retryAfterMs: toMs(waitNs) };
    return new NereidError("UNAVAILABLE", `${prefix}Exceeds maximum queue size`, hint);
  }
  const refuse = (text: string, waitNs = state.predictWaitNs()) =>
    new NereidError(overloadCode, prefix + text, {
      retryAfterMs: waitNs === undefined ? RETRY_AFTER_UNKNOWN_MS : toMs(waitNs),
    });
  if (costClass.maxQueued > 0 && state.queuedInClass >= costClass.maxQueued) {
    return refuse(
      `Exceeds the queue limit of class '${costClass.name}': ${state.queuedInClass} requests wait, at most ${costClass.maxQueued} may`,
    );
  }
  if (limits.maxRequests > 0 && state.queued >= limits.maxRequests) {
    return refuse(`Exceeds the queue limit: ${state.queued} requests wait, at most ${limits.maxRequests} may`);
  }
  const bytes = state.queuedBytes + request.byteLength;
  if (limits.maxBytes > 0 && bytes > limits.maxBytes && !(state.queued === 0 && state.isIdle())) {
    return refuse(
      `Exceeds the queue limit: with this request's ${request.byteLength} bytes ${bytes} bytes would wait, at most ${limits.maxBytes} may`,
    );
  }
  const limitNs = limits.maxPredictedWaitNs;
  const waitNs = limitNs > 0 ? state.predictWaitNs() : undefined;
  if (waitNs === undefined || waitNs <= limitNs) return undefined;
  return refuse(
    `Exceeds the longest predicted wait: ${toMs(waitNs)} ms, at most ${toMs(limitNs)} ms is allowed`,
    waitNs - limitNs,
  );
}

function toMs(ns: number): number {
  return Math.max(1, Math.ceil(ns / 1e6));
}
