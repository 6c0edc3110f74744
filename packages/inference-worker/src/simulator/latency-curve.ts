import { NereidError } from "@nereid/errors";

export interface LatencyPoint {
  readonly batchSize: number;
  /** How long an execution of this size takes. */
  readonly ns: number;
}

/**
 * Time of an execution by its batch size, straight between the points that were measured, and on beyond the last one as
 * between the last two; below the first point as long as that. INVALID_ARGUMENT without points.
 */
export function latencyCurve(points: readonly LatencyPoint[]): (batchSize: number) => number {
  const sorted = [...points].sort((a, b) => a.batchSize - b.batchSize);
  const first = sorted[0];
  if (first === undefined) throw new NereidError("INVALID_ARGUMENT", "a latency curve needs at least one point");
  return (batchSize) => {
    if (batchSize <= first.batchSize) return first.ns;
    // A model may have met thousands of sizes, and it is asked of each execution. The first that is not smaller, or else the last.
    let [start, end] = [0, sorted.length - 1];
    while (start < end) {
      const middle = (start + end) >> 1;
      if ((sorted[middle]?.batchSize ?? 0) >= batchSize) end = middle;
      else start = middle + 1;
    }
    const right = sorted[end] ?? first;
    const left = sorted[end - 1] ?? { batchSize: 0, ns: 0 };
    const slope = (right.ns - left.ns) / Math.max(1, right.batchSize - left.batchSize);
    return Math.max(0, right.ns + slope * (batchSize - right.batchSize));
  };
}
