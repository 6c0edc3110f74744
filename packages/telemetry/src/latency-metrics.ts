import { bucketIndex } from "./latency-buckets.ts";
import type { LatencyHistogram } from "./latency-histogram.ts";
import type { FamilyWriter, Labels } from "./prometheus-writer.ts";

const NS_PER_SECOND = 1e9;

const BOUNDS_SECONDS = [
  0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
] as const;

const BOUND_INDICES = BOUNDS_SECONDS.map((seconds) => bucketIndex(seconds * NS_PER_SECOND));

/** A log-linear histogram as a family in seconds. A bound may count durations up to 3.2 % above it. */
export function writeLatencyHistogram(family: FamilyWriter, labels: Labels, histogram: LatencyHistogram): void {
  const counts = histogram.cumulativeCounts(BOUND_INDICES);
  BOUNDS_SECONDS.forEach((bound, at) => {
    family.part(labels, ["le", String(bound)], counts[at] ?? 0);
  });
  family.part(labels, ["le", "+Inf"], histogram.count);
  family.sample(labels, histogram.sum / NS_PER_SECOND, "_sum");
  family.sample(labels, histogram.count, "_count");
}
