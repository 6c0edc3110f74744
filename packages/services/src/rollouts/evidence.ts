import { z } from "zod";

const counted = z.object({ requests: z.number(), bad: z.number() });
const histogram = z.array(z.tuple([z.number(), z.number()]).readonly()).readonly();

/** What a statistical gate knows in one step. */
const tally = z.object({
  /** Of all blocks together. */
  candidate: counted,
  baseline: counted,
  /** Requests since the last block was closed: one has requests of both versions. */
  open: z.object({ candidate: counted, baseline: counted }),
  /** Logarithms of the evidence against the candidate, for each of the odds. */
  logs: z.array(z.number()),
  /** Greatest evidence so far, as a logarithm: what was once refuted stays so. */
  peak: z.number(),
});

const versionSums = z.object({ requests: z.number(), failed: z.number(), queueNs: z.number(), latency: histogram });

/** What was seen in one step. */
const stepEvidence = z.object({
  step: z.int(),
  /** Seconds that are still let pass before anything is weighed. */
  settling: z.int(),
  /** Seconds that were weighed. */
  seconds: z.number(),
  candidate: versionSums,
  baseline: versionSums,
  tallies: z.record(z.string(), tally),
});

const gpuErrors = z.object({ index: z.number(), xid: z.number().nullable(), ecc: z.number().nullable() });

/** How the fixtures were answered the last time. */
export const outputCheck = z.object({
  atMs: z.number(),
  /** The step in which it was made; -1 before the first. */
  step: z.int(),
  fixtures: z.int(),
  /** Fixtures that prove nothing: the baseline did not answer, or not twice alike. */
  unfit: z.array(z.string()),
  /** What is wrong with the candidate's answers; empty = all alike. */
  differences: z.array(z.object({ fixture: z.string(), says: z.string() })),
});

/** Everything that the gates know. Plain data: it is kept with the record, so that a new controller goes on where the old one was. */
export const evidence = z.object({
  /** Last second that was taken in, Unix seconds; 0 = none. */
  t: z.number(),
  attempt: z.int(),
  /** Latencies of the baseline so far, older ones with less weight: where its quantiles are. */
  reference: histogram,
  /** Share of bad requests of the baseline so far, by gate. */
  expected: z.record(z.string(), counted),
  /** Null before the first step. */
  current: stepEvidence.nullable(),
  /** Steps that are over. */
  past: z.array(stepEvidence),
  /** Of the last half minute: requests and failures of both versions a second. */
  arrivals: z.array(z.tuple([z.number(), z.number()])),
  /** Seconds on end in which memory was above the gate's limit. */
  memorySeconds: z.int(),
  memoryShare: z.number().nullable(),
  /** Error counts at the beginning, and now. */
  gpusBefore: z.array(gpuErrors),
  gpus: z.array(gpuErrors),
  outputs: outputCheck.nullable(),
  /** Since when the candidate is not served, Unix milliseconds; null while it is. */
  missingSince: z.number().nullable(),
  /** Since when the candidate is served and the baseline is not. */
  baselineMissingSince: z.number().nullable().default(null),
  /** When one of them was last seen to be missing. */
  missingSeenMs: z.number().nullable().default(null),
});

export type Evidence = z.output<typeof evidence>;
export type StepEvidence = z.output<typeof stepEvidence>;
export type Tally = z.output<typeof tally>;
export type VersionSums = z.output<typeof versionSums>;
export type OutputCheck = z.output<typeof outputCheck>;

/** What is known before anything was seen; `t` is the second after which measuring begins. */
export function noEvidence(t: number, attempt: number): Evidence {
  return {
    t,
    attempt,
    reference: [],
    expected: {},
    current: null,
    past: [],
    arrivals: [],
    memorySeconds: 0,
    memoryShare: null,
    gpusBefore: [],
    gpus: [],
    outputs: null,
    missingSince: null,
    baselineMissingSince: null,
    missingSeenMs: null,
  };
}

/** The second after which measuring begins: the newest that the node told, whose clock may be another than ours; ours before the first. Pure. */
export function presentSecond(metrics: { readonly newest: number } | undefined, nowMs: number): number {
  const newest = metrics?.newest ?? 0;
  return newest > 0 ? newest : Math.floor(nowMs / 1000);
}

const NO_VERSION: VersionSums = { requests: 0, failed: 0, queueNs: 0, latency: [] };

/** What is left of earlier steps in what is expected of the baseline: it has less to do in each, and may be quicker for it. */
const REMEMBERED = 0.05;

/** Answers to requests of the step before, and the load that changes with the weights, say nothing about this step. */
const SETTLING_SECONDS = 2;

/** The evidence at the beginning of a step: the tallies start anew, since a step may load the candidate as no step before did. */
export function beginStep(now: Evidence, step: number): Evidence {
  const past = now.current === null ? now.past : [...now.past, now.current];
  const expected = Object.entries(now.expected).map(([gate, { requests, bad }]) => [
    gate,
    { requests: requests * REMEMBERED, bad: bad * REMEMBERED },
  ]);
  return {
    ...now,
    past,
    reference: now.reference.map(([index, count]) => [index, count * REMEMBERED] as const),
    expected: Object.fromEntries(expected),
    current: { step, settling: SETTLING_SECONDS, seconds: 0, candidate: NO_VERSION, baseline: NO_VERSION, tallies: {} },
  };
}
