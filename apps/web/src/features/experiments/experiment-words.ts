import type { ExperimentEffect, ExperimentMetric, ExperimentVerdict } from "@nereid/perf";
import { formatNumber } from "@nereid/ui";

type Tone = "neutral" | "ok" | "warn" | "bad";

export const METRIC_WORDS: Readonly<Record<ExperimentMetric, string>> = {
  throughput: "Throughput",
  goodput: "Good answers",
  p50: "Median latency",
  p99: "99th percentile",
};

export const VERDICT_WORDS: Readonly<Record<ExperimentVerdict, { readonly text: string; readonly tone: Tone }>> = {
  better: { text: "Better", tone: "ok" },
  worse: { text: "Worse", tone: "bad" },
  same: { text: "No difference that matters", tone: "neutral" },
  undecided: { text: "Undecided", tone: "warn" },
};

/** A share with its sign: "+3.1 %"; what is beyond all bounds is unknown. */
export function signedShare(share: number): string {
  if (!Number.isFinite(share) || Math.abs(share) > 1e6) return "unknown";
  const percent = Math.abs(100 * share);
  const digits = percent >= 100 ? 0 : 1;
  return `${share > 0 ? "+" : share < 0 ? "−" : ""}${percent.toFixed(digits)} %`;
}

/** A value of a metric in its unit. */
export function metricText(metric: ExperimentMetric, value: number): string {
  return metric === "p50" || metric === "p99"
    ? `${Number(value.toPrecision(3))} ms`
    : `${formatNumber(Number(value.toPrecision(4)))} /s`;
}

/** Where an interval stands on an axis of shares from −`reach` to `reach`, in percent from the left. */
export function intervalPlace(
  { low, change, high }: Pick<ExperimentEffect, "low" | "change" | "high">,
  reach: number,
): { readonly left: number; readonly width: number; readonly middle: number } {
  const place = (share: number) => 50 + 50 * Math.min(1, Math.max(-1, share / reach));
  return { left: place(low), width: place(high) - place(low), middle: place(change) };
}

/** How far the axis of all effects goes: round, and at least 5 %. */
export function reachOf(effects: readonly ExperimentEffect[]): number {
  const ends = effects.flatMap(({ low, high }) => [Math.abs(low), Math.abs(high)]).filter((end) => end <= 10);
  const most = Math.max(0.05, ...ends);
  const power = 10 ** Math.floor(Math.log10(most));
  return ([1, 2, 5, 10].find((factor) => factor * power >= most * 0.999) ?? 10) * power;
}
