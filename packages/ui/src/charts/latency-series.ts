/** One second as the control plane streams it; durations in milliseconds, null when no request ended in it. */
export interface LatencyPoint {
  readonly t: number;
  readonly queue: number | null;
  readonly input: number | null;
  readonly infer: number | null;
  readonly output: number | null;
  readonly p50: number | null;
  readonly p95: number | null;
  readonly p99: number | null;
  readonly count: number;
  readonly failed: number;
  readonly pending: number;
}

export type SeriesKey = "queue" | "input" | "infer" | "output" | "p50" | "p95" | "p99";

export interface SeriesLook {
  readonly key: SeriesKey;
  readonly label: string;
  readonly kind: "mean" | "percentile";
  /** CSS colour; belongs to the series for good. */
  readonly color: string;
  /** Dashes tell the percentiles apart without colour. */
  readonly dash?: string;
  readonly width?: number;
}

/** Bottom to top of the stack, then the lines. Means are stacked because they add up; percentiles do not. */
export const LATENCY_SERIES: readonly SeriesLook[] = [
  { key: "output", label: "Compute output", kind: "mean", color: "var(--series-output)" },
  { key: "infer", label: "Compute infer", kind: "mean", color: "var(--series-infer)" },
  { key: "input", label: "Compute input", kind: "mean", color: "var(--series-input)" },
  { key: "queue", label: "Queue", kind: "mean", color: "var(--series-queue)" },
  { key: "p50", label: "p50", kind: "percentile", color: "var(--series-line)", dash: "1 4", width: 1.75 },
  { key: "p95", label: "p95", kind: "percentile", color: "var(--series-line)", dash: "6 4", width: 1.5 },
  { key: "p99", label: "p99", kind: "percentile", color: "var(--series-line)", width: 1.75 },
];
