import type { Tally } from "../evidence.ts";
import type { RolloutGate } from "../rollout-spec.ts";
import {
  blockLogEvidence,
  type Counted,
  limitLogEvidence,
  meanLogEvidence,
  ODDS,
} from "../statistics/block-evidence.ts";
import type { BadSecond } from "./count-bad.ts";

const NONE: Counted = { requests: 0, bad: 0 };

const FRESH: Tally = {
  candidate: NONE,
  baseline: NONE,
  open: { candidate: NONE, baseline: NONE },
  logs: ODDS.map(() => 0),
  peak: 0,
};

/** A gate's tally with one more second. `expected`: the baseline's bad requests of all seconds before this one. Pure. */
export function updateTally(
  gate: RolloutGate,
  counts: BadSecond,
  { before = FRESH, expected = NONE }: TallyParts,
): Tally {
  const open = {
    candidate: addCounted(before.open.candidate, counts.candidate),
    baseline: addCounted(before.open.baseline, counts.baseline),
  };
  const limit = limitOf(gate);
  // Where a block ends depends on how many requests came, never on how they went: otherwise it could be ended when it suits.
  const isFull = open.candidate.requests > 0 && (limit !== null || open.baseline.requests > 0);
  const candidate = addCounted(before.candidate, counts.candidate);
  const baseline = addCounted(before.baseline, counts.baseline);
  if (!isFull) return { ...before, candidate, baseline, open };
  const logs = ODDS.map((odds, place) => {
    const log =
      limit === null
        ? blockLogEvidence(open.candidate, open.baseline, { expected: shareOf(expected), margin: marginOf(gate), odds })
        : limitLogEvidence(open.candidate, limit, odds);
    return (before.logs[place] ?? 0) + log;
  });
  const peak = Math.max(before.peak, meanLogEvidence(logs));
  return { candidate, baseline, open: { candidate: NONE, baseline: NONE }, logs, peak };
}

export interface TallyParts {
  readonly before?: Tally | undefined;
  readonly expected?: Counted | undefined;
}

/** Whether a block was closed: until then nothing speaks for the candidate, and nothing against it. */
export function hasWeighed(tally: Tally | undefined): tally is Tally {
  return tally !== undefined && tally.candidate.requests > tally.open.candidate.requests;
}

/** Whether a gate weighs evidence, and so needs its part of the false alarms that are allowed. */
export function isStatistical({ kind }: RolloutGate): boolean {
  return limitedKinds.has(kind) || comparedKinds.has(kind);
}

/** Whether it compares both versions in the same seconds. */
export function needsBaseline({ kind }: RolloutGate): boolean {
  return comparedKinds.has(kind) || kind === "queue";
}

const limitedKinds: ReadonlySet<RolloutGate["kind"]> = new Set(["latency-limit", "error-limit", "queue"] as const);
const comparedKinds: ReadonlySet<RolloutGate["kind"]> = new Set(["latency", "errors", "goodput"] as const);

/** The share of bad requests that a gate without a baseline allows; null where it compares. */
export function limitOf(gate: RolloutGate): number | null {
  if (gate.kind === "latency-limit") return 1 - gate.quantile;
  if (gate.kind === "error-limit") return gate.share;
  return gate.kind === "queue" ? 0.5 : null;
}

function marginOf(gate: RolloutGate): number {
  return "margin" in gate ? gate.margin : 0;
}

/** With half a bad request more, so that no share is 0. */
function shareOf({ requests, bad }: Counted): number {
  return (bad + 0.5) / (requests + 50);
}

export function addCounted(a: Counted, b: Counted): Counted {
  return { requests: a.requests + b.requests, bad: a.bad + b.bad };
}
