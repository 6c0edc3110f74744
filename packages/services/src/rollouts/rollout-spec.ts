import { z } from "zod";
import { configText, ifDigest } from "../config/config-text.ts";
import { candidateVersion, modelName, versionNumber } from "../models/model-name.ts";

const share = z.number().min(0).max(1);

/** One stretch of a rollout: the candidate gets this much of the traffic for at least so long and so many requests. */
export const rolloutStep = z.object({
  /** Percent of the requests that name no version. */
  percent: z.int().min(1).max(100),
  /** Least duration, in seconds that were measured. */
  seconds: z.int().min(1).max(604_800),
  /** Least number of the candidate's requests. */
  requests: z.int().min(0).max(1_000_000_000),
  /** A person lets it go on. */
  manual: z.boolean().default(false),
});

export type RolloutStep = z.output<typeof rolloutStep>;

const MOST_MS = 3_600_000;

/** What sends a rollout back. Gates about both versions compare them in the same seconds. */
export const rolloutGate = z.discriminatedUnion("kind", [
  /** The candidate's quantile is at most `ratio` times the baseline's, or at most `slackMs` more where that is more. */
  z.object({
    kind: z.literal("latency"),
    quantile: z.number().min(0.1).max(0.999),
    ratio: z.number().min(1).max(10),
    slackMs: z.number().min(0).max(MOST_MS).default(0),
  }),
  /** The candidate's quantile is at most so long. */
  z.object({
    kind: z.literal("latency-limit"),
    quantile: z.number().min(0.1).max(0.999),
    limitMs: z.number().min(0.01).max(MOST_MS),
  }),
  /** The share of failed requests is at most the baseline's plus `margin`. What clients cancelled does not count. */
  z.object({ kind: z.literal("errors"), margin: share }),
  z.object({ kind: z.literal("error-limit"), share: z.number().min(0.0001).max(0.9999) }),
  /** The mean wait is at most `ratio` times the baseline's plus `slackMs`, in most seconds. */
  z.object({
    kind: z.literal("queue"),
    ratio: z.number().min(1).max(100),
    slackMs: z.number().min(0).max(MOST_MS),
  }),
  /** The share of requests that fail or take longer than `latencyMs` is at most the baseline's plus `margin`. */
  z.object({ kind: z.literal("goodput"), latencyMs: z.number().min(0.01).max(MOST_MS), margin: share }),
  /** Used share of the machine's memory, and of each GPU's, for five seconds on end. */
  z.object({ kind: z.literal("memory"), share: z.number().min(0.1).max(1) }),
  /** No new Xid or ECC error. */
  z.object({ kind: z.literal("gpu") }),
  /** Arrivals that rise while failures rise: clients that try again and again. */
  z.object({ kind: z.literal("retries") }),
  /** Kept requests answered by both versions alike: |a − b| ≤ absolute + relative·|a|. No names = all that are kept of the model. */
  z.object({
    kind: z.literal("outputs"),
    absolute: z.number().min(0).max(1e9),
    relative: z.number().min(0).max(1),
    fixtures: z.array(z.string().min(1).max(80)).max(100).default([]),
  }),
]);

export type RolloutGate = z.output<typeof rolloutGate>;

export const DEFAULT_STEPS: readonly RolloutStep[] = [1, 5, 25, 50, 100].map((percent) => ({
  percent,
  seconds: 60,
  requests: percent === 100 ? 0 : 100,
  manual: false,
}));

/** The slack is for models that answer in a millisecond: a process that is new, or rests between few requests, takes some tenths of one longer. */
export const DEFAULT_GATES: readonly RolloutGate[] = [
  { kind: "latency", quantile: 0.99, ratio: 1.1, slackMs: 3 },
  { kind: "latency", quantile: 0.5, ratio: 1.1, slackMs: 1 },
  { kind: "errors", margin: 0.001 },
  { kind: "queue", ratio: 2, slackMs: 5 },
  { kind: "memory", share: 0.95 },
  { kind: "gpu" },
  { kind: "retries" },
  { kind: "outputs", absolute: 1e-5, relative: 1e-3, fixtures: [] },
];

const stepsGrow = (steps: readonly RolloutStep[]) =>
  steps.every(({ percent }, at) => percent > (steps[at - 1]?.percent ?? 0));

const gatesDiffer = (gates: readonly RolloutGate[]) => new Set(gates.map(gateId)).size === gates.length;

/** What is rolled out, and how. */
export const rolloutSpec = z.object({
  model: modelName,
  baseline: versionNumber,
  /** A version of the model; with a configuration, the version of the model that is made for it: `NAME/VERSION`. */
  candidate: versionNumber.or(candidateVersion),
  /** The candidate is the baseline with this configuration; null = another version with the present one. */
  config: z.object({ text: configText, ifDigest }).nullable().default(null),
  steps: z
    .array(rolloutStep)
    .min(1)
    .max(20)
    .refine(stepsGrow, "each step must have a larger share than the one before")
    .default([...DEFAULT_STEPS]),
  gates: z
    .array(rolloutGate)
    .max(20)
    .refine(gatesDiffer, "two gates are about the same")
    .default([...DEFAULT_GATES]),
  /** Requests with the same value in this header stay with a version. */
  stickyHeader: z
    .string()
    .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,200}$/, "is not the name of a request header")
    .nullable()
    .default(null),
  /** Greatest probability that an equal version is sent back, by all statistical gates and steps of one attempt together. */
  falseAlarm: z.number().min(0.0001).max(0.2).default(0.01),
  /** Seconds in which all goes to the baseline before the first step. */
  rehearsalSeconds: z.int().min(1).max(3600).default(5),
  note: z.string().trim().max(500).default(""),
});

export type RolloutSpec = z.output<typeof rolloutSpec>;

/** What one asks for: a version, or a configuration. */
export const startRolloutInput = rolloutSpec.extend({ candidate: versionNumber.optional() });

/** The model and version that a role has its answers from. */
export function placeOf(
  spec: Pick<RolloutSpec, "model" | "baseline" | "candidate">,
  role: "baseline" | "candidate",
): { readonly model: string; readonly version: string } {
  const [name = "", version] = spec[role].split("/");
  return version === undefined ? { model: spec.model, version: name } : { model: name, version };
}

/** What a person calls it. */
export function candidateName({ candidate, config }: Pick<RolloutSpec, "candidate" | "config">): string {
  return config === null ? `version ${candidate}` : "the new configuration";
}

/** Names a gate of a rollout: its kind, and its quantile where there may be several. */
export function gateId(gate: RolloutGate): string {
  return "quantile" in gate ? `${gate.kind}-p${Number((gate.quantile * 100).toFixed(4))}` : gate.kind;
}
