import type { ExperimentEffect, ExperimentMetric, ExperimentWindow } from "./experiment-types.ts";

/** Two-sided 95 % quantiles of Student's t with 1, 2, 3 … degrees of freedom; beyond them that of 30 is a little too wide. */
const T95 = [
  12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.16, 2.145, 2.131, 2.12, 2.11,
  2.101, 2.093, 2.086, 2.08, 2.074, 2.069, 2.064, 2.06, 2.056, 2.052, 2.048, 2.045, 2.042,
];

/**
 * How far `b` is from `a`, as a share of `a`: the mean of the differences within pairs, with Student's interval for it. What makes
 * both windows of a pair slow cancels out. Pairs of which a window is missing are left out; of less than two pairs nothing is known,
 * and the interval has no end. Pure.
 */
export function pairedEffect(windows: readonly ExperimentWindow[], metric: ExperimentMetric): ExperimentEffect {
  const pairs = windows.flatMap((one) => {
    const other = windows.find(({ pair, side }) => pair === one.pair && side === "b");
    return one.side === "a" && other !== undefined ? [{ a: one[metric], b: other[metric] }] : [];
  });
  const a = mean(pairs.map((one) => one.a));
  const b = mean(pairs.map((one) => one.b));
  const differences = pairs.map((one) => one.b - one.a);
  const middle = mean(differences);
  const spread = Math.sqrt(
    differences.reduce((sum, one) => sum + (one - middle) ** 2, 0) / Math.max(1, pairs.length - 1),
  );
  const t = T95[Math.min(pairs.length - 2, T95.length - 1)];
  const half = t === undefined ? Number.MAX_VALUE : (t * spread) / Math.sqrt(pairs.length);
  // A baseline that answered nothing has no share to speak in.
  const share = (value: number) => (a === 0 ? Math.sign(value) * Number.MAX_VALUE : value / a);
  return {
    metric,
    a,
    b,
    change: a === 0 && b === 0 ? 0 : share(middle),
    low: share(middle - half),
    high: share(middle + half),
  };
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}
