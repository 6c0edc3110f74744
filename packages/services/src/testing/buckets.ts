import type { SecondBucket, SeriesBucket } from "@nereid/client";
import { bucketIndex } from "@nereid/telemetry";

const MS = 1e6;

/** A series of requests that each took `latencyMs`, half of it waiting in the queue. */
export function seriesOf(model: string, latencyMs: readonly number[], more: Partial<SeriesBucket> = {}): SeriesBucket {
  const total = latencyMs.reduce((sum, ms) => sum + ms, 0) * MS;
  return {
    model,
    version: "1",
    success: latencyMs.length,
    failure: 0,
    inferences: latencyMs.length,
    executions: latencyMs.length,
    pending: 0,
    sumNs: {
      request: total,
      queue: total / 2,
      computeInput: total / 8,
      computeInfer: total / 4,
      computeOutput: total / 8,
    },
    latency: latencyMs.map((ms) => [bucketIndex(ms * MS), 1] as const).sort(([a], [b]) => a - b),
    ...more,
  };
}

export function bucketOf(t: number, ...series: SeriesBucket[]): SecondBucket {
  return { t, series };
}
