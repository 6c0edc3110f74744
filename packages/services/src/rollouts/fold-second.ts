import type { SparseHistogram } from "@nereid/telemetry";
import { addPairs } from "../history/series-sums.ts";
import type { Evidence, StepEvidence, VersionSums } from "./evidence.ts";
import { type BadSecond, countBad } from "./gates/count-bad.ts";
import { addCounted, isStatistical, needsBaseline, updateTally } from "./gates/update-tally.ts";
import type { RolloutSecond, VersionSecond } from "./rollout-second.ts";
import { gateId, type RolloutSpec } from "./rollout-spec.ts";

/** Requests of the baseline after which older ones count half. */
const REFERENCE_REQUESTS = 4_000;
const ARRIVAL_SECONDS = 30;

/**
 * The evidence with one more second of the node. A second that was taken in already changes nothing. Inside a step the gates' tallies
 * grow; before the first one the baseline alone is learned. Pure.
 */
export function foldSecond(spec: RolloutSpec, before: Evidence, second: RolloutSecond): Evidence {
  if (second.t <= before.t) return before;
  // With all requests at the candidate there is nothing to compare it with but answers that were late from the step before.
  const isWhole = before.current !== null && spec.steps[before.current.step]?.percent === 100;
  const weighed = spec.gates.filter((gate) => isStatistical(gate) && !(isWhole && needsBaseline(gate)));
  const seen = weighed.flatMap((gate) => {
    const counts = countBad(gate, second, before.reference);
    return counts === null ? [] : [{ gate, id: gateId(gate), counts }];
  });
  const expected = { ...before.expected };
  const tallies = { ...before.current?.tallies };
  const isSettled = before.current !== null && before.current.settling === 0;
  for (const { gate, id, counts } of seen) {
    // In this order: a second must not be judged by what it tells itself.
    if (isSettled) tallies[id] = updateTally(gate, counts, { before: tallies[id], expected: expected[id] });
    expected[id] = halved(addCounted(expected[id] ?? { requests: 0, bad: 0 }, counts.baseline));
  }
  const { memoryShare } = second;
  const limit = spec.gates.find((gate) => gate.kind === "memory")?.share;
  const isOver = limit !== undefined && memoryShare !== null && memoryShare > limit;
  return {
    ...before,
    t: second.t,
    reference: addReference(before.reference, second.baseline.latency),
    expected,
    current: before.current === null ? null : addToStep({ ...before.current, tallies }, second),
    arrivals: [...before.arrivals, arrivalsOf(second)].slice(-ARRIVAL_SECONDS),
    memoryShare,
    memorySeconds: isOver ? before.memorySeconds + 1 : 0,
    gpusBefore: before.gpusBefore.length === 0 ? [...second.gpus] : before.gpusBefore,
    gpus: second.gpus.length === 0 ? before.gpus : [...second.gpus],
  };
}

function halved(counts: BadSecond["baseline"]): BadSecond["baseline"] {
  if (counts.requests <= REFERENCE_REQUESTS) return counts;
  return { requests: counts.requests / 2, bad: counts.bad / 2 };
}

function addReference(reference: Evidence["reference"], latency: SparseHistogram): Evidence["reference"] {
  if (latency.length === 0) return reference;
  const merged = addPairs(reference, latency);
  const total = merged.reduce((sum, [, count]) => sum + count, 0);
  return total > REFERENCE_REQUESTS ? merged.map(([index, count]) => [index, count / 2] as const) : merged;
}

function addToStep(step: StepEvidence, { candidate, baseline }: RolloutSecond): StepEvidence {
  if (step.settling > 0) return { ...step, settling: step.settling - 1 };
  return {
    ...step,
    seconds: step.seconds + 1,
    candidate: addVersion(step.candidate, candidate),
    baseline: addVersion(step.baseline, baseline),
  };
}

function addVersion(sums: VersionSums, { requests, failed, queueNs, latency }: VersionSecond): VersionSums {
  return {
    requests: sums.requests + requests,
    failed: sums.failed + failed,
    queueNs: sums.queueNs + queueNs,
    latency: addPairs(sums.latency, latency),
  };
}

function arrivalsOf({ candidate, baseline }: RolloutSecond): [number, number] {
  return [candidate.requests + baseline.requests, candidate.failed + baseline.failed];
}
