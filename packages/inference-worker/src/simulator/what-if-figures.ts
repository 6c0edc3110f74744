import type { TrafficWindow } from "../facts/recent-traffic.ts";
import type { SimulationTotals } from "./totals.ts";

const NS_PER_S = 1e9;

/** How a span went, measured or simulated. */
export interface WhatIfFigures {
  /** From the arrival to the answer, nanoseconds; null where nothing was answered. */
  readonly p50Ns: number | null;
  readonly p99Ns: number | null;
  /** Answered requests and their items. */
  readonly requestsPerSecond: number;
  readonly itemsPerSecond: number;
  /** Items of an execution in the mean; null without executions. */
  readonly meanBatch: number | null;
  /** Share of the instances' time in which they executed, 0…1. */
  readonly busy: number;
  /** Requests that came and were not answered: refused, expired, cancelled, or still under way. */
  readonly unanswered: number;
}

/** Of requests as they were answered. */
export function measuredFigures({ arrivals, executions }: TrafficWindow, instances: number): WhatIfFigures {
  const firstNs = arrivals[0]?.atNs ?? 0;
  const answered = arrivals.filter(({ totalNs }) => !Number.isNaN(totalNs));
  const latencies = answered.map(({ totalNs }) => totalNs).sort((a, b) => a - b);
  const lastNs = answered.reduce((last, { atNs, totalNs }) => Math.max(last, atNs + totalNs), firstNs);
  const own = executions.filter(({ endNs, ns }) => endNs - ns >= firstNs);
  const items = own.reduce((sum, { batchSize }) => sum + batchSize, 0);
  const perSecond = (count: number) => (lastNs > firstNs ? (count / (lastNs - firstNs)) * NS_PER_S : 0);
  const busyNs = own.reduce((sum, { ns }) => sum + ns, 0);
  return {
    p50Ns: percentile(latencies, 0.5),
    p99Ns: percentile(latencies, 0.99),
    requestsPerSecond: perSecond(answered.length),
    itemsPerSecond: perSecond(answered.reduce((sum, { batchSize }) => sum + Math.max(1, batchSize), 0)),
    meanBatch: own.length === 0 ? null : items / own.length,
    busy: lastNs > firstNs ? Math.min(1, busyNs / ((lastNs - firstNs) * Math.max(1, instances))) : 0,
    unanswered: arrivals.length - answered.length,
  };
}

/** Of a simulation. */
export function simulatedFigures(totals: SimulationTotals): WhatIfFigures {
  const { latency, requestsPerSecond, itemsPerSecond, batchSizes, utilization, requests, byKind } = totals;
  let executions = 0;
  let items = 0;
  for (const [size, count] of batchSizes) {
    executions += count;
    items += size * count;
  }
  return {
    p50Ns: orNull(latency.p50),
    p99Ns: orNull(latency.p99),
    requestsPerSecond,
    itemsPerSecond,
    meanBatch: executions === 0 ? null : items / executions,
    busy: Math.min(1, utilization),
    unanswered: requests - byKind.executed,
  };
}

/** The smallest value that this share of all does not exceed, as simulations reckon it. */
function percentile(sorted: readonly number[], share: number): number | null {
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? null;
}

function orNull(value: number): number | null {
  return Number.isNaN(value) ? null : value;
}
