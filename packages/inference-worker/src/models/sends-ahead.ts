import type { RateLimiter } from "../rate-limiter/rate-limiter.ts";
import type { ModelSpec } from "./model-spec.ts";

/** Whether a full batch may wait at a busy instance. A queue limit or time-out is about requests that wait in the queue; one sent ahead would escape it. */
export function sendsAhead(spec: ModelSpec, rateLimiter: RateLimiter | undefined): boolean {
  const { defaultPolicy, levels } = spec.priorities;
  const { maxRequests, maxBytes, maxPredictedWaitNs, classes } = spec.admission;
  const limited =
    levels > 0 ||
    defaultPolicy.maxQueueSize > 0 ||
    defaultPolicy.defaultTimeoutNs > 0 ||
    defaultPolicy.allowTimeoutOverride;
  const admitted = maxRequests > 0 || maxBytes > 0 || maxPredictedWaitNs > 0 || classes.length > 0;
  return spec.scheduling.kind === "dynamic" && !limited && !admitted && rateLimiter === undefined;
}
