import type { Evidence } from "./evidence.ts";
import type { RolloutNow } from "./rollout-now.ts";

/** A baseline may be restarted or loaded anew meanwhile. */
const BASELINE_MISSING_MS = 30_000;

/** After so long without a look nobody knows what was served meanwhile. Shorter than what is taken for gone, so that two looks never suffice. */
const SILENCE_MS = 8_000;

type Missing = Pick<Evidence, "missingSince" | "baselineMissingSince" | "missingSeenMs">;

const NOTHING_MISSING: Missing = { missingSince: null, baselineMissingSince: null, missingSeenMs: null };

/** The evidence with what the server serves now, and since when it does not. Pure. */
export function noteMissing({ evidence, facts, nowMs }: RolloutNow): Evidence {
  const missing = missingNow(evidence, facts, nowMs);
  const isSame =
    missing.missingSince === evidence.missingSince &&
    missing.baselineMissingSince === evidence.baselineMissingSince &&
    missing.missingSeenMs === evidence.missingSeenMs;
  return isSame ? evidence : { ...evidence, ...missing };
}

function missingNow(before: Missing, { server }: RolloutNow["facts"], nowMs: number): Missing {
  // A server that does not answer says nothing about what it serves.
  if (server === null) return NOTHING_MISSING;
  const { baseline, candidate } = server.served;
  if (baseline && candidate) return NOTHING_MISSING;
  const isWatched = before.missingSeenMs !== null && nowMs - before.missingSeenMs <= SILENCE_MS;
  const known = isWatched ? before : NOTHING_MISSING;
  return {
    missingSince: candidate ? null : (known.missingSince ?? nowMs),
    baselineMissingSince: candidate ? (known.baselineMissingSince ?? nowMs) : null,
    missingSeenMs: nowMs,
  };
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
