import { isGood, type LoadWindow, latenciesUs, percentileOf, throughputOf } from "@nereid/perf";
import type { Scenario, Threshold } from "./scenario.ts";

/** What became of one threshold. */
export interface Judgement {
  /** As a person would say it: "p99 at most 20 ms". */
  readonly wanted: string;
  readonly measured: string;
  readonly holds: boolean;
}

/** Every threshold against what was measured. Latencies count from when requests were due; batches as so many inferences. Pure. */
export function judgeScenario(window: LoadWindow, scenario: Scenario, batch: number): Judgement[] {
  const sorted = latenciesUs(window).toSorted();
  const ended = window.requests.length + window.failed;
  const limits = scenario.goodWithinMs === undefined ? {} : { latencyMs: scenario.goodWithinMs };
  const good = window.requests.filter((request) => isGood(request, limits)).length;
  return judgeThresholds(scenario, {
    // Nothing that was answered has no latency, which is not a low one.
    percentileMs: (percentile) => (sorted.length === 0 ? null : percentileOf(sorted, percentile) / 1000),
    throughput: throughputOf(window, batch),
    failedShare: ended === 0 ? 1 : window.failed / ended,
    goodShare: ended === 0 ? 0 : good / ended,
  });
}

/** The same of figures that were counted otherwise. Pure. */
export function judgeThresholds(
  scenario: Pick<Scenario, "thresholds" | "goodWithinMs">,
  figures: ScenarioFigures,
): Judgement[] {
  return scenario.thresholds.map((threshold) => ({
    wanted: wantedText(threshold, scenario),
    ...judge(threshold, figures),
  }));
}

export interface ScenarioFigures {
  /** Milliseconds within which so many percent were answered; null of nothing. */
  readonly percentileMs: (percentile: number) => number | null;
  /** Inferences a second. */
  readonly throughput: number;
  readonly failedShare: number;
  readonly goodShare: number;
}

function judge(threshold: Threshold, figures: ScenarioFigures): Pick<Judgement, "measured" | "holds"> {
  const { percentileMs, throughput, failedShare, goodShare } = figures;
  switch (threshold.kind) {
    case "latency": {
      const ms = percentileMs(threshold.percentile);
      if (ms === null) return { measured: "no answers", holds: false };
      return { measured: msText(ms), holds: ms <= threshold.atMostMs };
    }
    case "error-share":
      return { measured: shareText(failedShare), holds: failedShare <= threshold.atMost };
    case "throughput":
      return { measured: `${throughput.toFixed(1)} a second`, holds: throughput >= threshold.atLeast };
    case "goodput":
      return { measured: shareText(goodShare), holds: goodShare >= threshold.atLeast };
  }
}

function wantedText(threshold: Threshold, { goodWithinMs }: Pick<Scenario, "goodWithinMs">): string {
  switch (threshold.kind) {
    case "latency":
      return `p${threshold.percentile} at most ${msText(threshold.atMostMs)}`;
    case "error-share":
      return `failed at most ${shareText(threshold.atMost)}`;
    case "throughput":
      return `throughput at least ${threshold.atLeast} a second`;
    case "goodput": {
      const within = goodWithinMs === undefined ? "answered well" : `good within ${msText(goodWithinMs)}`;
      return `${within} at least ${shareText(threshold.atLeast)}`;
    }
  }
}

function msText(ms: number): string {
  return `${Number(ms.toFixed(3))} ms`;
}

function shareText(share: number): string {
  return `${Number((100 * share).toFixed(3))} %`;
}
