import { quantileMs } from "../../metrics/quantile-ms.ts";
import type { Evidence, StepEvidence, VersionSums } from "../evidence.ts";
import { gateId, type RolloutGate, type RolloutSpec } from "../rollout-spec.ts";
import { meanLogEvidence } from "../statistics/block-evidence.ts";
import { shareInterval } from "../statistics/share-interval.ts";
import { percent, tallyWords } from "./gate-words.ts";
import { findRetryStorm } from "./retry-storm.ts";
import { hasWeighed, isStatistical, limitOf } from "./update-tally.ts";

/** What a gate says of a step. */
export interface GateReading {
  readonly id: string;
  readonly kind: RolloutGate["kind"];
  /** refuted: the candidate is worse than allowed; holds: it was not found to be; waiting: too little was measured to tell. */
  readonly verdict: "refuted" | "holds" | "waiting";
  /** The figure the gate is about, of both versions; null where there is none. Milliseconds or shares, as `unit` says. */
  readonly unit: "ms" | "share" | "none";
  readonly candidate: number | null;
  readonly baseline: number | null;
  /** Requests (for the queue: seconds) of the candidate that were weighed, and the share of them that was bad. */
  readonly requests: number;
  readonly badShare: number | null;
  /** Bounds of that share which hold at all times together, with 95 %. */
  readonly low: number | null;
  readonly high: number | null;
  /** The baseline's share of bad requests, or the limit. */
  readonly allowedShare: number | null;
  /** Evidence against the candidate (1 = none), and what refutes it; null where nothing is weighed. */
  readonly evidence: number | null;
  readonly needed: number | null;
  readonly says: string;
}

/**
 * The evidence that refutes a gate: falseAlarm is divided equally between the statistical gates and the steps (Bonferroni), each e-process
 * has its part α, and is refuted at 1/α (Ville). Together they send back an equal candidate with at most the probability falseAlarm.
 */
export function neededEvidence({
  gates,
  steps,
  falseAlarm,
}: Pick<RolloutSpec, "gates" | "steps" | "falseAlarm">): number {
  return (Math.max(1, gates.filter(isStatistical).length) * steps.length) / falseAlarm;
}

/** What every gate says of the step that is under way, or of an earlier one. Pure. */
export function judgeGates(spec: RolloutSpec, seen: Evidence, step: StepEvidence | null = seen.current): GateReading[] {
  return spec.gates.map((gate) => judgeGate(gate, { spec, seen, step }));
}

/** The first gate that refutes the candidate; null while all hold. Pure. */
export function refutedGate(spec: RolloutSpec, seen: Evidence): GateReading | null {
  const parts = { spec, seen, step: seen.current };
  const bar = Math.log(neededEvidence(spec));
  for (const gate of spec.gates) {
    // Looked at every second: the intervals of a reading are worked out only for what is told.
    if (isStatistical(gate) && (seen.current?.tallies[gateId(gate)]?.peak ?? 0) < bar) continue;
    const reading = judgeGate(gate, parts);
    if (reading.verdict === "refuted") return reading;
  }
  return null;
}

/** Evidence at which a step does not go on until it is refuted or spent: a decision by what happens to be seen at its end would be rash. */
const SUSPICION = 1;

/** Whether some gate leans against the candidate of this step. Waiting costs no false alarms, because the tests hold at any time. Pure. */
export function isSuspected(spec: RolloutSpec, { current }: Evidence): boolean {
  return spec.gates.some((gate) => {
    const tally = isStatistical(gate) ? current?.tallies[gateId(gate)] : undefined;
    return tally !== undefined && meanLogEvidence(tally.logs) > Math.log(SUSPICION);
  });
}

/** In words, the gates that weighed nothing in any of these steps, and so could not find the candidate worse; empty where all did. Pure. */
export function unweighedWords({ gates }: RolloutSpec, steps: readonly StepEvidence[]): string {
  const ids = gates.filter(isStatistical).map(gateId);
  const unweighed = ids.filter((id) => !steps.some(({ tallies }) => hasWeighed(tallies[id])));
  return unweighed.length === 0 ? "" : `too little was measured for ${unweighed.join(", ")}`;
}

interface Judged {
  readonly spec: RolloutSpec;
  readonly seen: Evidence;
  readonly step: StepEvidence | null;
}

function judgeGate(gate: RolloutGate, parts: Judged): GateReading {
  if (isStatistical(gate)) return judgeTally(gate, parts);
  const { seen } = parts;
  switch (gate.kind) {
    case "memory": {
      const isOver = seen.memorySeconds >= MEMORY_SECONDS;
      const says =
        seen.memoryShare === null
          ? "the node does not say how much memory it uses"
          : `memory ${percent(seen.memoryShare)} used, ${percent(gate.share)} allowed`;
      const verdict = isOver ? "refuted" : seen.memoryShare === null ? "waiting" : "holds";
      return plain(gate, verdict, says, { unit: "share", candidate: seen.memoryShare, allowedShare: gate.share });
    }
    case "gpu": {
      const grown = seen.gpus.flatMap(({ index, xid, ecc }) => {
        const first = seen.gpusBefore.find((gpu) => gpu.index === index);
        const more = grownBy(first?.xid, xid) + grownBy(first?.ecc, ecc);
        return more > 0 ? [`GPU ${index} reports ${more} new Xid or ECC errors`] : [];
      });
      if (grown.length > 0) return plain(gate, "refuted", grown.join("; "));
      return seen.gpus.length === 0
        ? plain(gate, "waiting", "the node has no GPU")
        : plain(gate, "holds", "no new Xid or ECC error");
    }
    case "retries": {
      const storm = findRetryStorm(seen.arrivals);
      return storm === null
        ? plain(gate, "holds", "arrivals do not rise together with failures")
        : plain(gate, "refuted", storm);
    }
    default:
      return judgeOutputs(gate, seen);
  }
}

const MEMORY_SECONDS = 5;

/** Counts begin anew with the server, and some drivers tell none. */
function grownBy(first: number | null | undefined, now: number | null): number {
  return typeof first === "number" && now !== null ? Math.max(0, now - first) : 0;
}

function judgeOutputs(gate: RolloutGate, { outputs }: Evidence): GateReading {
  if (outputs === null) return plain(gate, "waiting", "the fixtures were not sent yet");
  const { differences, fixtures, unfit } = outputs;
  const [first] = differences;
  const unfitWords = unfit.length === 0 ? "" : `; ${unfit.join(", ")} proved nothing`;
  if (first !== undefined) {
    const more = differences.length === 1 ? "" : `, and ${differences.length - 1} more`;
    return plain(gate, "refuted", `fixture ${first.fixture}: ${first.says}${more}`, { requests: fixtures });
  }
  if (fixtures === unfit.length) {
    return plain(
      gate,
      "waiting",
      fixtures === 0 ? "the model has no fixtures" : `no fixture is fit to compare${unfitWords}`,
    );
  }
  return plain(gate, "holds", `${fixtures - unfit.length} fixtures answered alike${unfitWords}`, {
    requests: fixtures,
  });
}

function judgeTally(gate: RolloutGate, { spec, step }: Judged): GateReading {
  const tally = step?.tallies[gateId(gate)];
  const needed = neededEvidence(spec);
  if (step === null || !hasWeighed(tally)) {
    return plain(gate, "waiting", "too little was measured to compare", { needed });
  }
  const isRefuted = tally.peak >= Math.log(needed);
  const interval = shareInterval(tally.candidate);
  const limit = limitOf(gate);
  const allowedShare = limit ?? (tally.baseline.requests === 0 ? null : tally.baseline.bad / tally.baseline.requests);
  const figures = figuresOf(gate, step);
  const badShare = tally.candidate.bad / tally.candidate.requests;
  const parts = {
    ...figures,
    requests: tally.candidate.requests,
    badShare,
    low: interval?.low ?? null,
    high: interval?.high ?? null,
    allowedShare,
    evidence: Math.exp(Math.min(isRefuted ? tally.peak : meanLogEvidence(tally.logs), 700)),
    needed,
  };
  return plain(gate, isRefuted ? "refuted" : "holds", tallyWords(gate, parts), parts);
}

function figuresOf(gate: RolloutGate, { candidate, baseline }: StepEvidence) {
  const each = (unit: GateReading["unit"], of: (sums: VersionSums) => number | null) => ({
    unit,
    candidate: of(candidate),
    baseline: of(baseline),
  });
  if ("quantile" in gate) return each("ms", ({ latency }) => quantileMs(latency, gate.quantile));
  if (gate.kind === "queue")
    return each("ms", ({ queueNs, requests }) => (requests === 0 ? null : queueNs / requests / 1e6));
  if (gate.kind === "goodput") return { unit: "none" as const, candidate: null, baseline: null };
  return each("share", ({ failed, requests }) => (requests === 0 ? null : failed / requests));
}

function plain(
  gate: RolloutGate,
  verdict: GateReading["verdict"],
  says: string,
  more: Partial<GateReading> = {},
): GateReading {
  return {
    unit: "none",
    candidate: null,
    baseline: null,
    requests: 0,
    badShare: null,
    low: null,
    high: null,
    allowedShare: null,
    evidence: null,
    needed: null,
    ...more,
    id: gateId(gate),
    kind: gate.kind,
    verdict,
    says,
  };
}
