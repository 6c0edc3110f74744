import { type AdmissionLimits, NO_ADMISSION_LIMITS } from "@nereid/inference-worker";
import { bad, type GivenFlags } from "./given-flags.ts";

/** What becomes of requests when too many come, for every model that does not say it itself. */
export interface QueueOptions {
  readonly admission: AdmissionLimits;
  readonly overloadCode: "UNAVAILABLE" | "TOO_MANY_REQUESTS";
}

const NS_PER_MS = 1e6;
const LONGEST_WAIT_MS = 86_400_000;

export function parseQueueOptions(given: GivenFlags): QueueOptions {
  const maxRequests = given.whole("queue-max-requests", { min: 0 }) ?? 0;
  const maxBytes = given.whole("queue-max-bytes", { min: 0 }) ?? 0;
  const waitMs = given.whole("queue-max-wait-ms", { min: 0, max: LONGEST_WAIT_MS }) ?? 0;
  return {
    admission: { ...NO_ADMISSION_LIMITS, maxRequests, maxBytes, maxPredictedWaitNs: waitMs * NS_PER_MS },
    overloadCode: overloadCode(given.text("overload-status") ?? "503"),
  };
}

function overloadCode(text: string): QueueOptions["overloadCode"] {
  if (text === "503") return "UNAVAILABLE";
  if (text === "429") return "TOO_MANY_REQUESTS";
  throw bad("overload-status", `expected 503 or 429, got "${text}"`);
}
