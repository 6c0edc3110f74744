import type { Evidence } from "./evidence.ts";
import type { RolloutNow } from "./rollout-now.ts";

/** A baseline may be restarted or loaded anew meanwhile. */
const BASELINE_MISSING_MS = 30_000;

/** The evidence with what the server serves now, and since when it does not. Pure. */
export function noteMissing({ evidence, facts, nowMs }: RolloutNow): Evidence {
  // A server that does not answer says nothing about what it serves.
  if (facts.server === null) return evidence;
  const { baseline, candidate } = facts.server.served;
  const missingSince = candidate ? null : (evidence.missingSince ?? nowMs);
  const baselineMissingSince = baseline || !candidate ? null : (evidence.baselineMissingSince ?? nowMs);
  if (missingSince === evidence.missingSince && baselineMissingSince === evidence.baselineMissingSince) return evidence;
  return { ...evidence, missingSince, baselineMissingSince };
}

/** Without it there is nothing to compare with, and nothing to go back to: a person has to say what shall be. */
export function isBaselineGone({ evidence, facts, nowMs }: Pick<RolloutNow, "evidence" | "facts" | "nowMs">): boolean {
  const { baselineMissingSince } = evidence;
  // A server that does not answer is perhaps just loading it.
  if (facts.server === null) return false;
  return baselineMissingSince !== null && nowMs - baselineMissingSince >= BASELINE_MISSING_MS;
}

/** Whether weights can no longer be set. A restarted server may still be loading the model. */
export function isModelGone({ evidence, facts, nowMs }: Pick<RolloutNow, "evidence" | "facts" | "nowMs">): boolean {
  if (facts.server === null || facts.server.served.baseline || facts.server.weights !== null) return false;
  return evidence.missingSince !== null && nowMs - evidence.missingSince >= BASELINE_MISSING_MS;
}
