import { bucketBoundsNs, bucketIndex, quantileFromSparse, type SparseHistogram } from "@nereid/telemetry";
import type { RolloutSecond, VersionSecond } from "../rollout-second.ts";
import type { RolloutGate } from "../rollout-spec.ts";
import type { Counted } from "../statistics/block-evidence.ts";

const NS_PER_MS = 1e6;
/** Before so many requests of the baseline its 99th percentile is a guess. */
const LEAST_BEYOND = 1;

export interface BadSecond {
  readonly candidate: Counted;
  readonly baseline: Counted;
}

/**
 * Requests of a second that are bad in the sense of a gate; null where the gate counts nothing, or cannot yet. `reference`: latencies of
 * the baseline in earlier seconds only. A threshold made of earlier seconds is a fixed number for the second it is used in, so that how
 * well it estimates the quantile touches the power of the test, not its false alarms.
 */
export function countBad(gate: RolloutGate, second: RolloutSecond, reference: SparseHistogram): BadSecond | null {
  switch (gate.kind) {
    case "latency": {
      const from = quantileBucket(reference, gate.quantile);
      if (from === null) return null;
      const edge = bucketBoundsNs(from).lower;
      // First bucket that lies wholly above what is allowed: what shares a bucket with the threshold is not held against it.
      const above = bucketIndex(Math.max(edge * gate.ratio, edge + gate.slackMs * NS_PER_MS) - 1) + 1;
      return both(second, ({ latency }, isCandidate) => slower(latency, isCandidate ? above : from));
    }
    case "latency-limit":
      return both(second, ({ latency }) => slower(latency, bucketIndex(gate.limitMs * NS_PER_MS) + 1));
    case "errors":
    case "error-limit":
      return both(second, ({ requests, failed }) => ({ requests, bad: failed }));
    case "goodput":
      return both(second, ({ requests, failed, latency }) => ({
        requests,
        bad: Math.min(requests, failed + slower(latency, bucketIndex(gate.latencyMs * NS_PER_MS) + 1).bad),
      }));
    case "queue":
      return { candidate: waitedLonger(second, gate), baseline: { requests: 0, bad: 0 } };
    default:
      return null;
  }
}

function both(second: RolloutSecond, count: (of: VersionSecond, isCandidate: boolean) => Counted): BadSecond {
  return { candidate: count(second.candidate, true), baseline: count(second.baseline, false) };
}

/** First bucket above the quantile; null while too few requests lie beyond it to say where it is. */
function quantileBucket(reference: SparseHistogram, quantile: number): number | null {
  const total = reference.reduce((sum, [, count]) => sum + count, 0);
  if (total * (1 - quantile) < LEAST_BEYOND) return null;
  const ns = quantileFromSparse(reference, quantile);
  return ns === undefined ? null : bucketIndex(ns) + 1;
}

function slower(latency: SparseHistogram, from: number): Counted {
  let requests = 0;
  let bad = 0;
  for (const [index, count] of latency) {
    requests += count;
    if (index >= from) bad += count;
  }
  return { requests, bad };
}

/** A second counts once, for or against the candidate: waits of one second are all of one queue. */
function waitedLonger(
  { candidate, baseline }: RolloutSecond,
  { ratio, slackMs }: { readonly ratio: number; readonly slackMs: number },
): Counted {
  if (candidate.requests === 0 || baseline.requests === 0) return { requests: 0, bad: 0 };
  const mean = ({ queueNs, requests }: VersionSecond) => queueNs / requests;
  return { requests: 1, bad: mean(candidate) > ratio * mean(baseline) + slackMs * NS_PER_MS ? 1 : 0 };
}
