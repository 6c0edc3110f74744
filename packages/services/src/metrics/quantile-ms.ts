import { quantileFromSparse, type SparseHistogram } from "@nereid/telemetry";

const NS_PER_MS = 1e6;

/** A quantile in milliseconds; null for an empty histogram. */
export function quantileMs(latency: SparseHistogram, q: number): number | null {
  const ns = quantileFromSparse(latency, q);
  return ns === undefined ? null : ns / NS_PER_MS;
}
