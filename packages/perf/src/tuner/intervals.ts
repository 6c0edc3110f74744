import type { Interval } from "./tuning-types.ts";

/** Two-sided 90 % quantiles of Student's t by degrees of freedom, from 1. */
const STUDENT = [6.314, 2.92, 2.353, 2.132, 2.015, 1.943, 1.895, 1.86, 1.833, 1.812] as const;
const NORMAL = 1.645;
/** Without a second window nothing is known of the spread: as much as windows usually differ. */
const UNKNOWN_SPREAD = 0.1;

/** Where the mean of windows lies with 90 % confidence, by Student's t. Pure. */
export function meanInterval(values: readonly number[]): Interval {
  const mean = values.reduce((sum, one) => sum + one, 0) / Math.max(1, values.length);
  if (values.length < 2) return [Math.max(0, mean * (1 - UNKNOWN_SPREAD)), mean * (1 + UNKNOWN_SPREAD)];
  const variance = values.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (values.length - 1);
  const half = (STUDENT[values.length - 2] ?? NORMAL) * Math.sqrt(variance / values.length);
  return [Math.max(0, mean - half), mean + half];
}

/** How likely a is truly above b, from their means and 90 % intervals: as if both were normal. 0 to 1. Pure. */
export function chanceAbove(a: { mean: number; interval: Interval }, b: { mean: number; interval: Interval }): number {
  const deviation = ({ interval: [low, high] }: typeof a) => (high - low) / 2 / NORMAL;
  const together = Math.hypot(deviation(a), deviation(b));
  if (together === 0) return a.mean > b.mean ? 1 : a.mean < b.mean ? 0 : 0.5;
  return 1 / (1 + Math.exp((-1.702 * (a.mean - b.mean)) / together));
}
