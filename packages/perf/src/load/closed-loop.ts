import { LatencyHistogram } from "@nereid/telemetry";

/** One lane of a load: sends its ready-made request and resolves when the whole answer is there. Throws for a bad answer. */
export interface LoadLane {
  send(): Promise<void>;
  close(): void;
}

export interface ClosedLoopPlan {
  readonly open: () => Promise<LoadLane>;
  /** Lanes that each keep one request in flight. */
  readonly concurrency: number;
  readonly warmUpMs: number;
  readonly durationMs: number;
  /** Gets the latencies, in nanoseconds, besides the result: several loads may fill one. */
  readonly into?: LatencyHistogram;
}

export interface LoadResult {
  readonly requests: number;
  readonly seconds: number;
  readonly perSecond: number;
  /** Client-side latency in microseconds. */
  readonly p50Us: number;
  readonly p99Us: number;
}

/** Sends the same request over and over on every lane. Fails at the first bad answer. */
export async function runClosedLoop(plan: ClosedLoopPlan): Promise<LoadResult> {
  const lanes = await Promise.all(Array.from({ length: plan.concurrency }, plan.open));
  const latency = new LatencyHistogram();
  const countFrom = nowMs() + plan.warmUpMs;
  const end = countFrom + plan.durationMs;
  let requests = 0;
  await Promise.all(
    lanes.map(async (lane) => {
      for (;;) {
        const start = nowMs();
        if (start >= end) return;
        await lane.send();
        const done = nowMs();
        if (start < countFrom || done > end) continue;
        latency.record((done - start) * 1e6);
        plan.into?.record((done - start) * 1e6);
        requests += 1;
      }
    }),
  );
  for (const lane of lanes) lane.close();
  const seconds = plan.durationMs / 1000;
  return {
    requests,
    seconds,
    perSecond: requests / seconds,
    p50Us: (latency.quantile(0.5) ?? 0) / 1000,
    p99Us: (latency.quantile(0.99) ?? 0) / 1000,
  };
}

function nowMs(): number {
  return performance.now();
}
