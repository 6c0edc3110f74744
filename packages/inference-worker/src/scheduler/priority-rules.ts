import type { ValidRequest } from "../request/valid-request.ts";
import type { PriorityPolicy, QueuePolicy } from "./policy.ts";

/** Level of a request: its own where it names one that exists, else the default (scheduling.md §4). Without levels always 1. */
export function levelOf(priorities: PriorityPolicy, priority: number): number {
  const { levels, defaultLevel } = priorities;
  if (levels === 0) return 1;
  return priority >= 1 && priority <= levels ? priority : defaultLevel;
}

export function policyOf(priorities: PriorityPolicy, level: number): QueuePolicy {
  if (priorities.levels === 0) return priorities.defaultPolicy;
  return priorities.byLevel.get(level) ?? priorities.defaultPolicy;
}

/** How long a request may wait, in nanoseconds: its own time-out may only shorten the level's; Infinity without one. */
export function timeoutOf(policy: QueuePolicy, request: Pick<ValidRequest, "timeoutNs">): number {
  const { defaultTimeoutNs, allowTimeoutOverride } = policy;
  if (defaultTimeoutNs === 0) return Number.POSITIVE_INFINITY;
  const own = allowTimeoutOverride && request.timeoutNs > 0 ? request.timeoutNs : defaultTimeoutNs;
  return Math.min(own, defaultTimeoutNs);
}
