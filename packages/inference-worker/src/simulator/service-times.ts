import type { RecentExecution } from "../facts/recent-traffic.ts";
import { besides } from "./beside-usual.ts";
import { latencyCurve } from "./latency-curve.ts";
import { poolRising } from "./pool-rising.ts";
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
  /** How long a simulated execution takes: what is usual for the size, and beside it what one of those that were measured took more or less. */
  readonly draw: (execution: Pick<RecentExecution, "batchSize" | "restNs">, random: Random) => number;
}

/** Fewer executions of a size do not say what is usual for it. */
const ENOUGH_FOR_USUAL = 8;
/** Nothing takes less than this part of what is usual. */
const LEAST_PART = 0.2;

/**
 * Times of executions as they were measured: what is usual for a size, and beside it what one execution took more or less. Usual is the
 * median, rising with the size: sizes that came only a few times came together while the machine was held up, and their times say that.
 * What comes beside it is drawn from executions of the size behind a rest of about the same length, or else from the most alike: an instance
 * that rested takes longer, as others have had its caches and processor, and finds them busy more often. Undefined where nothing was measured.
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
  const bySize = new Map(sinceLoad.map((point) => [point.batchSize, point]));
  const usual = points.map(({ batchSize, ns, executions: count }) => {
    const [own = [], load] = [samples.get(batchSize), bySize.get(batchSize)];
    const isLoad = own.length < ENOUGH_FOR_USUAL && load !== undefined && load.executions >= ENOUGH_FOR_USUAL;
    const value = isLoad ? load.ns : own.length === 0 ? ns : median(own);
    return { at: batchSize, value, weight: isLoad ? load.executions : count };
  });
  const curve = latencyCurve(poolRising(usual).map(({ at, value }) => ({ batchSize: at, ns: value })));
  const beside = besides(executions, curve);
  return {
    points,
    draw: (execution, random) => {
      const extras = beside(execution);
      const ns = curve(execution.batchSize);
      return Math.max(LEAST_PART * ns, ns + (extras[Math.floor(random() * extras.length)] ?? 0));
    },
  };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
