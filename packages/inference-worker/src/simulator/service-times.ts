import type { RecentExecution } from "../facts/recent-traffic.ts";
import { latencyCurve } from "./latency-curve.ts";
import type { Random } from "./random.ts";

/** Mean time of executions of one size, and where it was measured. */
export interface ServicePoint {
  readonly batchSize: number;
  readonly ns: number;
  readonly executions: number;
  /** `recent`: in the window; `load`: since the load, because the window has none of this size. */
  readonly source: "recent" | "load";
}

export interface ServiceTimes {
  /** Ascending by size. */
  readonly points: readonly ServicePoint[];
  /** How long a simulated execution takes: drawn from those that were measured, and scaled for sizes that were not. */
  readonly draw: (batchSize: number, random: Random) => number;
}

/** Fewer executions say a mean and no spread. */
const ENOUGH_TO_DRAW = 8;

/**
 * Times of executions as they were measured. A size with enough executions in the window is drawn from them; any other gets its mean
 * of the curve through the points (straight between them, on beyond them) with the spread of the nearest size that has one. Undefined
 * where nothing was measured.
 */
export function serviceTimes(
  executions: readonly RecentExecution[],
  sinceLoad: readonly { readonly batchSize: number; readonly ns: number; readonly executions: number }[],
): ServiceTimes | undefined {
  const samples = new Map<number, number[]>();
  for (const { batchSize, ns } of executions) {
    const known = samples.get(batchSize);
    if (known === undefined) samples.set(batchSize, [ns]);
    else known.push(ns);
  }
  const recent = [...samples].map(
    ([batchSize, all]): ServicePoint => ({ batchSize, ns: mean(all), executions: all.length, source: "recent" }),
  );
  const older = sinceLoad
    .filter((point) => point.executions > 0 && !samples.has(point.batchSize))
    .map((point): ServicePoint => ({ ...point, source: "load" }));
  const points = [...recent, ...older].sort((a, b) => a.batchSize - b.batchSize);
  if (points.length === 0) return undefined;
  const curve = latencyCurve(points);
  const spreads = recent.filter((point) => point.executions >= ENOUGH_TO_DRAW && point.ns > 0);
  return {
    points,
    draw: (batchSize, random) => {
      const nearest = nearestOf(spreads, batchSize);
      const all = nearest && samples.get(nearest.batchSize);
      if (nearest === undefined || all === undefined) return curve(batchSize);
      const drawn = all[Math.floor(random() * all.length)] ?? nearest.ns;
      return nearest.batchSize === batchSize ? drawn : (curve(batchSize) * drawn) / nearest.ns;
    },
  };
}

function nearestOf(points: readonly ServicePoint[], batchSize: number): ServicePoint | undefined {
  let nearest: ServicePoint | undefined;
  for (const point of points) {
    const isNearer =
      nearest === undefined || Math.abs(point.batchSize - batchSize) < Math.abs(nearest.batchSize - batchSize);
    if (isNearer) nearest = point;
  }
  return nearest;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
