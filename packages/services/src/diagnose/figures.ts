import type { FlightRecord } from "@nereid/client";
import type { StatsWindow, WindowPoint, WindowSlice } from "./stats-window.ts";

const NS_PER_MS = 1e6;

export type Phase = "queue" | "input" | "infer" | "output";

export const PHASES: readonly Phase[] = ["queue", "input", "infer", "output"];

export const PHASE_WORDS: Readonly<Record<Phase, string>> = {
  queue: "waiting in the queue",
  input: "preparing inputs",
  infer: "executing",
  output: "preparing outputs",
};

/** Milliseconds of one phase of a remembered request; 0 where it was not reached. */
export function phaseMs(record: FlightRecord, phase: Phase): number {
  const { queue, phases } = record;
  if (phase === "queue") return queue.waitedNs / NS_PER_MS;
  if (phases === undefined) return 0;
  const ns = { input: phases.inputNs, infer: phases.inferNs, output: phases.outputNs };
  return ns[phase] / NS_PER_MS;
}

/**
 * The requests that stand for the slow ones: those remembered as slow; where there are none, those of the sample that took longer than
 * nine tenths of it. Empty without any.
 */
export function slowOnes({ slow, sampled }: StatsWindow): readonly FlightRecord[] {
  if (slow.length > 0) return slow;
  const sorted = sampled.toSorted((a, b) => b.totalNs - a.totalNs);
  return sorted.slice(0, Math.ceil(sorted.length / 10));
}

/** Mean milliseconds of each phase among the slow requests; of all requests where none is remembered. Null without requests. */
export function slowPhases(window: StatsWindow): Readonly<Record<Phase, number>> | null {
  const slow = slowOnes(window);
  if (slow.length === 0) return window.whole.means;
  const mean = (phase: Phase) => slow.reduce((sum, record) => sum + phaseMs(record, phase), 0) / slow.length;
  return { queue: mean("queue"), input: mean("input"), infer: mean("infer"), output: mean("output") };
}

/** The phase that takes most, and its share of all four. */
export function largestPhase(means: Readonly<Record<Phase, number>>): { phase: Phase; share: number } {
  const total = PHASES.reduce((sum, phase) => sum + means[phase], 0);
  const phase = PHASES.reduce((best, one) => (means[one] > means[best] ? one : best));
  return { phase, share: total === 0 ? 0 : means[phase] / total };
}

/** Share of the batches that were closed for one of these reasons, 0…1; null where that is not known. */
export function closedShare({ closed }: WindowSlice, reasons: readonly string[]): number | null {
  const all = Object.values(closed).reduce((sum, count) => sum + count, 0);
  if (all === 0) return null;
  return reasons.reduce((sum, reason) => sum + (closed[reason] ?? 0), 0) / all;
}

type Pair<Value> = readonly [Value, Value];

/** Pearson's correlation over the pairs of which both are known; null for fewer than five of them or without variation. */
export function correlation(pairs: readonly Pair<number | null>[]): number | null {
  const known = knownPairs(pairs);
  if (known.length < 5) return null;
  const meanX = known.reduce((sum, [x]) => sum + x, 0) / known.length;
  const meanY = known.reduce((sum, [, y]) => sum + y, 0) / known.length;
  let xy = 0;
  let xx = 0;
  let yy = 0;
  for (const [x, y] of known) {
    xy += (x - meanX) * (y - meanY);
    xx += (x - meanX) ** 2;
    yy += (y - meanY) ** 2;
  }
  return xx === 0 || yy === 0 ? null : xy / Math.sqrt(xx * yy);
}

/** The correlation of two figures of the window's points. */
export function goTogether(window: StatsWindow, x: keyof WindowPoint, y: keyof WindowPoint): number | null {
  return correlation(pairsIn(window, x, y));
}

/** The correlation of their ranks (Spearman's): one second in which the whole machine stood still does not hide what is so in all others. */
export function rankTogether(window: StatsWindow, x: keyof WindowPoint, y: keyof WindowPoint): number | null {
  const known = knownPairs(pairsIn(window, x, y));
  const [xs, ys] = [ranksOf(known.map(([a]) => a)), ranksOf(known.map(([, b]) => b))];
  return correlation(xs.map((rank, at) => [rank, ys[at] ?? null]));
}

function pairsIn({ timeline }: StatsWindow, x: keyof WindowPoint, y: keyof WindowPoint): Pair<number | null>[] {
  return timeline.map((point) => [point[x], point[y]]);
}

function knownPairs(pairs: readonly Pair<number | null>[]): Pair<number>[] {
  return pairs.flatMap(([x, y]) => (x === null || y === null ? [] : [[x, y]]));
}

/** Each value's place among all, from 0; equal values share the middle of theirs. */
function ranksOf(values: readonly number[]): number[] {
  return values.map((value) => {
    const below = values.filter((other) => other < value).length;
    const equal = values.filter((other) => other === value).length;
    return below + (equal - 1) / 2;
  });
}

/** The middle value; null for none. */
export function median(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  const high = sorted[Math.floor(sorted.length / 2)];
  const low = sorted[Math.floor((sorted.length - 1) / 2)];
  return high === undefined || low === undefined ? null : (high + low) / 2;
}

/** Each remembered execution once: those that shared a batch stand for one. */
export function executionsOf(records: readonly FlightRecord[]): readonly FlightRecord[] {
  const seen = new Set<string>();
  return records.filter(({ batch, model, version, serial }) => {
    const key = batch === undefined ? `#${serial}` : `${model}/${version}/${batch.serial}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
