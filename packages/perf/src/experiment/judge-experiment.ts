import {
  EXPERIMENT_METRICS,
  type ExperimentEffect,
  type ExperimentMetric,
  type ExperimentResult,
  type ExperimentSpec,
  type ExperimentVerdict,
  type ExperimentWindow,
} from "./experiment-types.ts";
import { pairedEffect } from "./paired-effect.ts";

/** Requests that fail on one side only make any other figure worthless. */
const FAILED_MARGIN = 0.001;

const NAMES: Readonly<Record<ExperimentMetric, string>> = {
  throughput: "throughput",
  goodput: "goodput",
  p50: "median latency",
  p99: "99th percentile",
};

type Question = Pick<ExperimentSpec, "metric" | "leastEffect">;

/** What the windows say about the hypothesis. Pure. */
export function judgeExperiment(
  { metric, leastEffect }: Question,
  windows: readonly ExperimentWindow[],
): Omit<ExperimentResult, "windows"> {
  const metrics = [metric, ...EXPERIMENT_METRICS.filter((one) => one !== metric)];
  const effects = metrics.map((one) => pairedEffect(windows, one));
  const failed = failedShare(windows, "b") - failedShare(windows, "a");
  const [first] = effects;
  const verdict: ExperimentVerdict =
    failed > FAILED_MARGIN || first === undefined ? "worse" : verdictOf(first, leastEffect);
  const sentences = first === undefined ? [] : [sentence(first, verdict, leastEffect)];
  if (failed > FAILED_MARGIN) {
    sentences.unshift(
      `With the change ${percent(failed)} more of the requests fail: it is worse, whatever else it does.`,
    );
  }
  for (const effect of effects.slice(1)) {
    const side = verdictOf(effect, leastEffect);
    if (side === "better" || side === "worse") sentences.push(sentence(effect, side, leastEffect));
  }
  // The same warning comes with other figures in every window: one of each kind is enough.
  const warnings = new Map(
    windows.flatMap((one) => one.warnings).map((text) => [text.replace(/[\d.]+/g, "#"), text] as const),
  );
  return { effects, verdict, sentences: [...sentences, ...warnings.values()], says: sentences[0] ?? "" };
}

function verdictOf({ metric, low, high }: ExperimentEffect, leastEffect: number): ExperimentVerdict {
  const more = metric === "throughput" || metric === "goodput";
  if (-leastEffect < low && high < leastEffect) return "same";
  if (low > 0) return more ? "better" : "worse";
  if (high < 0) return more ? "worse" : "better";
  return "undecided";
}

function sentence({ metric, change, low, high }: ExperimentEffect, verdict: ExperimentVerdict, least: number): string {
  if (Math.abs(low) > 1e6 || Math.abs(high) > 1e6) return `Too few windows to say anything of the ${NAMES[metric]}.`;
  const between = `95 % confidence: ${signed(low)} to ${signed(high)}`;
  if (verdict === "same") return `The ${NAMES[metric]} is the same to within ${percent(least)} (${between}).`;
  if (verdict === "undecided")
    return `The ${NAMES[metric]} changed by ${signed(change)}, which may be chance (${between}).`;
  return `The ${NAMES[metric]} changed by ${signed(change)} (${between}).`;
}

function failedShare(windows: readonly ExperimentWindow[], side: "a" | "b"): number {
  const of = windows.filter((one) => one.side === side);
  const requests = of.reduce((sum, one) => sum + one.requests, 0);
  return requests === 0 ? 0 : of.reduce((sum, one) => sum + one.failed * one.requests, 0) / requests;
}

function percent(share: number): string {
  return `${Number((100 * share).toFixed(1))} %`;
}

function signed(share: number): string {
  return `${share > 0 ? "+" : share < 0 ? "−" : ""}${percent(Math.abs(share))}`;
}
