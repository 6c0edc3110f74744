import { LatencyHistogram } from "@nereid/telemetry";
import { HttpConnection } from "./http-connection.ts";

export interface OpenLoopPlan {
  readonly port: number;
  readonly request: Buffer;
  /** Requests sent a second, evenly, whether or not earlier ones are answered. */
  readonly perSecond: number;
  readonly durationMs: number;
  /** Answers that came later than this after their request was due are not good. */
  readonly goodWithinMs: number;
  /** Connections that are opened at most; one carries one request at a time. */
  readonly mostConnections: number;
}

export interface OpenLoopResult {
  readonly sent: number;
  /** Requests that were due and found no free connection: the generator's own limit. */
  readonly notSent: number;
  readonly answered: number;
  /** Answered 200 in time. */
  readonly good: number;
  readonly goodPerSecond: number;
  readonly byStatus: Readonly<Record<string, number>>;
  /** Of the answers with status 200, from when the request was due; microseconds. */
  readonly p50Us: number;
  readonly p99Us: number;
}

/** Sends requests at a fixed rate and measures each from the moment it was due, so that a stall of the server is seen in full. */
export async function runOpenLoop(plan: OpenLoopPlan): Promise<OpenLoopResult> {
  const idle: HttpConnection[] = [];
  const latency = new LatencyHistogram();
  const byStatus = new Map<string, number>();
  const pending = new Set<Promise<void>>();
  let [opened, sent, notSent, good] = [0, 0, 0, 0];
  const count = (status: string) => byStatus.set(status, (byStatus.get(status) ?? 0) + 1);
  const send = async (dueMs: number) => {
    const connection = idle.pop() ?? (await HttpConnection.open(plan.port));
    try {
      const { status } = await connection.send(plan.request);
      const tookMs = performance.now() - dueMs;
      count(String(status));
      if (status === 200) latency.record(tookMs * 1e6);
      if (status === 200 && tookMs <= plan.goodWithinMs) good += 1;
      idle.push(connection);
    } catch {
      count("lost");
      opened -= 1;
    }
  };
  const startMs = performance.now();
  const total = Math.floor((plan.perSecond * plan.durationMs) / 1000);
  for (let next = 0; next < total; ) {
    const due = Math.min(total, Math.floor(((performance.now() - startMs) * plan.perSecond) / 1000));
    for (; next < due; next++) {
      if (idle.length === 0 && opened >= plan.mostConnections) {
        notSent += 1;
        continue;
      }
      if (idle.length === 0) opened += 1;
      sent += 1;
      const going = send(startMs + (next * 1000) / plan.perSecond).finally(() => pending.delete(going));
      pending.add(going);
    }
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await Promise.all(pending);
  for (const connection of idle) connection.close();
  return {
    sent,
    notSent,
    answered: [...byStatus.values()].reduce((sum, one) => sum + one, 0),
    good,
    goodPerSecond: (good * 1000) / plan.durationMs,
    byStatus: Object.fromEntries(byStatus),
    p50Us: (latency.quantile(0.5) ?? 0) / 1000,
    p99Us: (latency.quantile(0.99) ?? 0) / 1000,
  };
}
