import { LatencyHistogram } from "@nereid/telemetry";
import { HttpConnection } from "./http-connection.ts";

export interface ClosedLoopPlan {
  readonly port: number;
  readonly request: Buffer;
  /** Connections that each keep one request in flight. */
  readonly concurrency: number;
  readonly warmUpMs: number;
  readonly durationMs: number;
}

export interface LoadResult {
  readonly requests: number;
  readonly seconds: number;
  readonly perSecond: number;
  /** Client-side latency in microseconds. */
  readonly p50Us: number;
  readonly p99Us: number;
}

/** Sends the same request over and over on every connection. Fails at the first answer that is not 200. */
export async function runClosedLoop(plan: ClosedLoopPlan): Promise<LoadResult> {
  const connections = await Promise.all(Array.from({ length: plan.concurrency }, () => HttpConnection.open(plan.port)));
  const latency = new LatencyHistogram();
  const countFrom = nowMs() + plan.warmUpMs;
  const end = countFrom + plan.durationMs;
  let requests = 0;
  await Promise.all(
    connections.map(async (connection) => {
      for (;;) {
        const start = nowMs();
        if (start >= end) return;
        const { status, chunks } = await connection.send(plan.request);
        if (status !== 200)
          throw new Error(`answer ${status}: ${Buffer.concat(chunks).toString("latin1").slice(0, 300)}`);
        const done = nowMs();
        if (start < countFrom || done > end) continue;
        latency.record((done - start) * 1e6);
        requests += 1;
      }
    }),
  );
  for (const connection of connections) connection.close();
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
