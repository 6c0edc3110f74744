/** What waits in one class, as far as it concerns a new request. */
export interface LaneLoad {
  /** Instance time of what waits, in nanoseconds; undefined while it is not known how long executions take. */
  readonly workNs: number | undefined;
  readonly weight: number;
  /** 0 = unlimited. */
  readonly maxExecuting: number;
}

/**
 * Nanoseconds that a new request of the class `own` would wait: the work before it shared by the instances. With several
 * classes its own work at its share of the instances, but never longer than all the work takes. Undefined while nothing is
 * known.
 */
export function predictWaitNs(own: LaneLoad, others: readonly LaneLoad[], instances: number): number | undefined {
  if (own.workNs === undefined) return undefined;
  const parallel = Math.max(1, instances);
  const busy = others.filter(({ workNs }) => workNs !== undefined && workNs > 0);
  const allWork = busy.reduce((sum, { workNs }) => sum + (workNs ?? 0), own.workNs);
  const allWeights = busy.reduce((sum, { weight }) => sum + weight, own.weight);
  const atShare = own.workNs / ((parallel * own.weight) / allWeights);
  const throttled = own.maxExecuting > 0 ? own.workNs / Math.min(parallel, own.maxExecuting) : 0;
  return Math.max(throttled, Math.min(allWork / parallel, atShare));
}
