import type { LoadLevel } from "@nereid/services/load-test-report";
import type { LoadThreshold } from "@nereid/services/load-test-spec";

/** What is allowed beyond what was measured. */
const SLACK = 1.2;

/** Thresholds that a level held with a fifth to spare, for a gate that shall notice when it gets worse. None without a level. Pure. */
export function proposedThresholds(level: LoadLevel | undefined): LoadThreshold[] {
  if (level === undefined || level.client.answered === 0) return [];
  const { p50, p99, throughput, failed, answered } = level.client;
  const latency = (percentile: number, ms: number | null): LoadThreshold[] =>
    ms === null ? [] : [{ kind: "latency", percentile, atMostMs: tidy(ms * SLACK) }];
  return [
    ...latency(50, p50),
    ...latency(99, p99),
    { kind: "throughput", atLeast: tidy(throughput / SLACK) },
    { kind: "error-share", atMost: Math.min(1, tidy(Math.max(0.001, (failed / (failed + answered)) * SLACK))) },
  ];
}

function tidy(value: number): number {
  return Number(value.toPrecision(2));
}
