import type { GateReading, RolloutCommand, RolloutPhase } from "@nereid/services";
import { formatNumber, formatShare } from "@nereid/ui";

type Tone = "neutral" | "ok" | "busy" | "warn" | "bad" | "accent";

export interface Words {
  readonly text: string;
  readonly tone: Tone;
}

export const PHASE_WORDS: Readonly<Record<RolloutPhase, Words>> = {
  preparing: { text: "Preparing", tone: "busy" },
  rehearsing: { text: "Rehearsing the way back", tone: "busy" },
  running: { text: "Running", tone: "busy" },
  waiting: { text: "Waits for a person", tone: "warn" },
  paused: { text: "Paused", tone: "warn" },
  promoting: { text: "Promoting", tone: "busy" },
  applying: { text: "Applying", tone: "busy" },
  returning: { text: "Giving requests back", tone: "busy" },
  promoted: { text: "Promoted", tone: "ok" },
  "rolling-back": { text: "Rolling back", tone: "bad" },
  "rolled-back": { text: "Rolled back", tone: "bad" },
  aborted: { text: "Aborted", tone: "neutral" },
};

export const VERDICT_WORDS: Readonly<Record<GateReading["verdict"], Words>> = {
  holds: { text: "Holds", tone: "ok" },
  refuted: { text: "Refuted", tone: "bad" },
  waiting: { text: "Nothing yet", tone: "neutral" },
};

/** What a rollout is of: "version 2", or the configuration where the candidate is a model of its own. */
export function candidateWords(candidate: string): string {
  return candidate.includes("/") ? "new configuration" : `version ${candidate}`;
}

/** "resnet: version 1 to 2" or "resnet: new configuration of version 1". */
export function rolloutTitle(of: { readonly model: string; readonly baseline: string; readonly candidate: string }) {
  const { model, baseline, candidate } = of;
  return candidate.includes("/")
    ? `${model}: new configuration of version ${baseline}`
    : `${model}: version ${baseline} to ${candidate}`;
}

export interface CommandWords {
  readonly label: string;
  /** What it does, asked before. */
  readonly question: string;
  readonly effect: string;
}

export const COMMAND_WORDS: Readonly<Record<RolloutCommand, CommandWords>> = {
  pause: {
    label: "Pause",
    question: "Pause the rollout?",
    effect:
      "The weights stay as they are and no step begins. The gates watch on, and send the candidate back if one is refuted.",
  },
  resume: { label: "Resume", question: "Resume the rollout?", effect: "The step goes on where it was paused." },
  promote: {
    label: "Next step",
    question: "Go on to the next step?",
    effect: "The candidate gets the share of the next step now, whatever this step still lacks.",
  },
  "promote-fully": {
    label: "Promote fully",
    question: "Promote fully?",
    effect: "The candidate gets all requests now, without the steps that are left.",
  },
  abort: {
    label: "Abort",
    question: "Abort the rollout?",
    effect: "The baseline gets all requests again, and the rollout ends.",
  },
  "give-up": {
    label: "Give up",
    question: "Give the rollout up where it is?",
    effect:
      "Nothing more is asked of the server, and the traffic stays as it divides it now. For a server that refuses what the rollout wants of it.",
  },
  retry: {
    label: "Try again",
    question: "Try the rollout again?",
    effect: "It begins anew with the rehearsal; what was measured is not used.",
  },
};

const GATE_NAMES: Readonly<Record<string, string>> = {
  errors: "Failed requests",
  "error-limit": "Failed requests, limit",
  queue: "Mean wait",
  goodput: "Goodput",
  memory: "Memory",
  gpu: "GPU errors",
  retries: "Retries",
  outputs: "Outputs",
};

/** Name of a gate: "p99 latency" for latency-p99. */
export function gateName(id: string): string {
  const quantile = /^latency(-limit)?-(p.+)$/.exec(id);
  if (quantile !== null) return `${quantile[2]} latency${quantile[1] === undefined ? "" : ", limit"}`;
  return GATE_NAMES[id] ?? id;
}

/** How far the evidence against the candidate is: "3.2 of 2500". */
export function evidenceText({ evidence, needed }: Pick<GateReading, "evidence" | "needed">): string {
  if (evidence === null || needed === null) return "–";
  return `${evidence >= 100 ? formatNumber(Math.round(evidence)) : evidence.toPrecision(2)} of ${formatNumber(needed)}`;
}

/** A figure of a gate in its unit. */
export function figureText(value: number | null, unit: GateReading["unit"]): string {
  if (value === null) return "–";
  return unit === "ms" ? `${Number(value.toPrecision(3))} ms` : unit === "share" ? formatShare(value) : String(value);
}

/** Percent of the traffic that a version has by these weights; null where there are none. */
export function percentOf(weights: Readonly<Record<string, number>> | null, version: string): number | null {
  if (weights === null) return null;
  const total = Object.values(weights).reduce((sum, weight) => sum + weight, 0);
  return total === 0 ? null : (100 * (weights[version] ?? 0)) / total;
}

/** "1, 5, 25" as percents; null where it is no list of growing whole numbers from 1 to 100. */
export function readPercents(text: string): number[] | null {
  const parts = text.split(/[\s,;]+/).filter((part) => part !== "");
  const percents = parts.map(Number);
  const grows = percents.every((percent, at) => Number.isInteger(percent) && percent > (percents[at - 1] ?? 0));
  return parts.length > 0 && parts.length <= 20 && grows && (percents.at(-1) ?? 0) <= 100 ? percents : null;
}
